// MemoryStore
