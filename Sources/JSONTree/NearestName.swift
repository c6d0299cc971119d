/// The known name that somebody probably meant.
public enum NearestName {
    /// The longest name that is compared; the comparison costs its length times the other's.
    static let longest = 64

    /// The nearest of `known`, or `nil` where none is near: at most a third of the letters may differ, counting a swap
    /// of neighbours as one.
    public static func of(_ name: String, among known: [String]) -> String? {
        let letters = Array(name.lowercased().utf8)
        guard (1...longest).contains(letters.count) else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in known {
            // Each letter more or less is a difference: what is too long or too short needs no comparing.
            guard abs(letters.count - candidate.utf8.count) <= max(1, candidate.utf8.count / 3) else { continue }
            let distance = distance(letters, Array(candidate.lowercased().utf8))
            guard distance <= max(1, candidate.utf8.count / 3) else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.name
    }

    /// The optimal string alignment distance.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(
                    previous[column + 1] + 1, current[column] + 1, previous[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
