@main
struct Sekisho {
    static func main() async {}
}
