import Synchronization

/// A misbehaviour that somebody asked for.
public struct FaultOrder: Sendable, Hashable {
    /// Which provider; `nil` for any.
    public var provider: ProviderName?
    /// At which step; `nil` for any where the fault can happen.
    public var step: ProviderStep?
    /// What happens.
    public var fault: Fault
    /// How often, one call after another; or by chance.
    public var occurrence: Occurrence

    /// When an order is carried out.
    public enum Occurrence: Sendable, Hashable {
        /// At the next so many calls.
        case times(Int)
        /// At so many of a thousand calls, drawn from the desk's seed.
        case perMille(Int)
    }

    /// An order.
    public init(
        _ fault: Fault, of provider: ProviderName? = nil, at step: ProviderStep? = nil,
        _ occurrence: Occurrence = .times(1)
    ) {
        self.fault = fault
        self.provider = provider
        self.step = step
        self.occurrence = occurrence
    }

    fileprivate func covers(_ provider: ProviderName, _ step: ProviderStep) -> Bool {
        (self.provider ?? provider) == provider && (self.step ?? step) == step && fault.steps.contains(step)
    }
}

/// Where orders wait for the calls that they spoil. Ordered ones go before those by chance.
final class FaultDesk: Sendable {
    private struct State {
        var orders: [FaultOrder] = []
        var generator = SplitMix64(seed: 0)
    }

    private let state = Mutex(State())

    /// Adds an order behind those that wait.
    func place(_ order: FaultOrder) {
        state.withLock { $0.orders.append(order) }
    }

    /// Forgets every order.
    func clear() {
        state.withLock { $0.orders = [] }
    }

    /// Begins the sequence of chances anew.
    func seed(_ seed: UInt64) {
        state.withLock { $0.generator = SplitMix64(seed: seed) }
    }

    /// What happens to a call, if anything.
    func take(_ provider: ProviderName, _ step: ProviderStep) -> Fault? {
        take { $0.covers(provider, step) }
    }

    /// Whether the next connection is broken unread; then nobody knows what it was for.
    func takeGreeting() -> Bool {
        take { $0.fault == .resetBeforeReading } != nil
    }

    private func take(where covers: (FaultOrder) -> Bool) -> Fault? {
        state.withLock { state in
            var lucky: Fault?
            for (index, order) in state.orders.enumerated() where covers(order) {
                switch order.occurrence {
                case .times(let left):
                    if left > 1 {
                        state.orders[index].occurrence = .times(left - 1)
                    } else {
                        state.orders.remove(at: index)
                    }
                    return order.fault
                case .perMille(let share):
                    // Drawn for every order, so that the sequence does not depend on how the draws come out.
                    let draw = state.generator.next() % 1000
                    if lucky == nil, draw < UInt64(max(0, share)) { lucky = order.fault }
                }
            }
            return lucky
        }
    }
}

/// Steele, Lea and Flood's generator ("Fast splittable pseudorandom number generators", 2014): the same for one seed.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
