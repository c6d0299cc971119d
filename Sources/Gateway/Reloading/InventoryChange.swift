public import VerificationCore

/// What became of the parts of one kind that one place of the configuration names.
public struct InventoryChange: Sendable, Hashable {
    /// The place, such as `verifiers.alpha`.
    public let owner: String
    /// What sort of thing they are.
    public let kind: LoadedPart.Kind
    /// Those that are new, by name.
    public internal(set) var added: [String] = []
    /// Those that are gone.
    public internal(set) var removed: [String] = []
    /// Those whose name stays and whose content is another.
    public internal(set) var changed: [String] = []
    /// Secrets of which nobody can tell, because the key that their digests were made under is not here.
    public internal(set) var unknown: [String] = []

    init(owner: String, kind: LoadedPart.Kind) {
        self.owner = owner
        self.kind = kind
    }

    var isNothing: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty && unknown.isEmpty }
}

extension Inventory {
    /// What a reload would swap: the parts that differ from those of `before`, by place and kind in order.
    public func changes(since before: Inventory) -> [InventoryChange] {
        let old = Dictionary(grouping: before.entries) { Group($0) }
        let new = Dictionary(grouping: entries) { Group($0) }
        return Set(old.keys).union(new.keys).sorted().compactMap { group in
            var change = InventoryChange(owner: group.owner, kind: group.kind)
            if group.kind.isNamed {
                change.compareByName(old[group] ?? [], new[group] ?? [])
            } else {
                change.compareByContent(old[group] ?? [], new[group] ?? [])
            }
            return change.isNothing ? nil : change
        }
    }

    /// The parts of one kind of a verifier, by what tells their content apart.
    func contents(of kind: LoadedPart.Kind, _ owner: String) -> Set<[UInt8]> {
        Set(entries.filter { $0.kind == kind && $0.owner == owner }.compactMap(\.digest))
    }

    /// Whether some of a place's parts of a kind, which it is known by its content, are not here any more.
    public func loses(_ kind: LoadedPart.Kind, of owner: String, since before: Inventory) -> Bool {
        !before.contents(of: kind, owner).isSubset(of: contents(of: kind, owner))
    }

    private struct Group: Hashable, Comparable {
        let owner: String
        let kind: LoadedPart.Kind

        init(_ entry: Entry) {
            owner = entry.owner
            kind = entry.kind
        }

        static func < (left: Group, right: Group) -> Bool {
            (left.owner, left.kind.rawValue) < (right.owner, right.kind.rawValue)
        }
    }
}

extension InventoryChange {
    fileprivate mutating func compareByName(_ old: [Inventory.Entry], _ new: [Inventory.Entry]) {
        let before = Dictionary(grouping: old, by: \.name)
        let after = Dictionary(grouping: new, by: \.name)
        for name in Set(before.keys).union(after.keys).sorted() {
            switch (before[name], after[name]) {
            case (.some(let one), .some(let other)):
                let digests = (one + other).map(\.digest)
                if digests.contains(nil) {
                    unknown.append(name)
                } else if Set(one.map(\.digest)) != Set(other.map(\.digest)) {
                    changed.append(name)
                }
            case (.some, nil): removed.append(name)
            case (nil, .some): added.append(name)
            case (nil, nil): break
            }
        }
    }

    fileprivate mutating func compareByContent(_ old: [Inventory.Entry], _ new: [Inventory.Entry]) {
        guard !(old + new).contains(where: { $0.digest == nil }) else {
            unknown = Set((old + new).map(\.name)).sorted()
            return
        }
        let (before, after) = (Set(old.map(\.digest)), Set(new.map(\.digest)))
        added = new.filter { !before.contains($0.digest) }.map(\.name).sorted()
        removed = old.filter { !after.contains($0.digest) }.map(\.name).sorted()
    }
}
