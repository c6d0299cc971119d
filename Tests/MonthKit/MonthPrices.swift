/// What the generated month costs: tiers that are crossed, a price that changes in its middle, minimums, fees, a zone and
/// a currency of its own, a verifier without prices and one without calls.
public enum MonthPrices {
    /// Strict JSON, so that anybody's reader takes it.
    public static let text = """
        { "name": "november", "time_zone": "Asia/Tokyo", "verifiers": {
          "alpha": { "currency": "JPY", "month_by": "ended", "tariffs": [
            { "from": "2026-04-01", "until": "2026-11-16", "flat_fee": "50000.5", "minimum": "100000",
              "prices": {
                "completed_any": { "free": 1000, "kind": "graduated", "steps": [
                  { "up_to": 10000, "unit": "80.5" }, { "up_to": 30000, "unit": "70" }, { "unit": "60.25" } ] },
                "session_created": { "unit": "0.3" } },
              "not_billed": ["status_check"], "tax": { "rate": "0.10", "rounding": "down" } },
            { "from": "2026-11-16", "minimum": "99999999",
              "prices": {
                "completed_any": { "free": 500, "kind": "graduated", "steps": [
                  { "up_to": 25000, "unit": "75.333333" }, { "unit": "55.000001" } ] },
                "session_created": { "unit": "0.35" }, "status_check": { "unit": "0.1" } },
              "tax": { "rate": "0.08", "rounding": "half_up" } } ] },
          "beta": { "currency": "USD", "time_zone": "America/New_York", "month_by": "provider", "tariffs": [
            { "from": "2026-01-01",
              "prices": {
                "completed_any": { "free": 500, "kind": "volume", "steps": [
                  { "up_to": 10000, "unit": "0.0125" }, { "unit": "0.011111" } ] },
                "status_check": { "unit": "0.000001" } },
              "not_billed": ["session_created"], "tax": { "rate": "0.07", "rounding": "half_up" } } ] },
          "gamma": { "currency": "JPY", "month_by": "started", "tariffs": [
            { "from": "2026-11-03", "flat_fee": "0.5", "minimum": "10000000",
              "prices": { "completed_pass": { "unit": "120" }, "session_created": { "unit": "1" },
                "status_check": { "unit": "0" } },
              "not_billed": ["completed_fail"], "tax": { "rate": "0.10", "rounding": "up" } } ] },
          "unused": { "retired": true, "currency": "JPY", "tariffs": [
            { "from": "2026-01-01", "flat_fee": "3000", "prices": {}, "tax": { "rate": "0.10", "rounding": "down" } } ] }
        } }
        """
}
