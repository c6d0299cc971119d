extension CBORItem {
    /// What a map has under a text key; `nil` where it has not, or is no map.
    public subscript(_ key: String) -> CBORItem? {
        let utf8 = key.utf8
        return value { key in key.kind == .text && key.content.elementsEqual(utf8) }
    }

    /// What a map has under a number, however the number is spelt; `nil` where it has not, or is no map.
    public subscript(_ label: Int64) -> CBORItem? {
        value { key in key.exactInteger == label }
    }

    /// What a map must have under a text key.
    public func require(_ key: String) throws(CBORError) -> CBORItem {
        guard kind == .map else { throw .wrongType }
        guard let item = self[key] else { throw .missingKey }
        return item
    }

    /// What a map must have under a number.
    public func require(_ label: Int64) throws(CBORError) -> CBORItem {
        guard kind == .map else { throw .wrongType }
        guard let item = self[label] else { throw .missingKey }
        return item
    }

    private func value(where matches: (CBORItem) -> Bool) -> CBORItem? {
        for (key, value) in pairs where matches(key) { return value }
        return nil
    }
}
