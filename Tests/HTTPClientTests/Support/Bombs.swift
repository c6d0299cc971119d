import Foundation

/// Small bodies that are large once decoded, made with the usual compressors.
enum Bombs {
    /// 200 MB of zeros, through gzip twice: 492 bytes.
    static let gzipTwice = decode(
        """
        H4sIAAAAAAACA+3cPS5EURzG4TMfkomIj0KlYBkaiYlES4J6MguwAoWbTFQaC7AHlQWIxg58VBYgCoVKXO5dxnmfpzr1v3xz8tu+\
        npTOcPTxMBj8P5qb37vPyXIBAAAAKte8LkbdGFB22ufD4zMAAACgdvO11XE/CvzMtqbOAQAAANW72ttd738IfF2ej50DAAAAqrf5\
        /b7fbwFP7f3GqXsAAABA9V4EAwAAACCKYAAAAABkEQwAAACALIIBAAAAEEYwAAAAALIIBgAAAEAWwQAAAADIIhgAAAAAYQQDAAAA\
        IItgAAAAAGQRDAAAAIAsggEAAAAQRjAAAAAAsggGAAAAQBbBAAAAAMgiGAAAAABhBAMAAAAgi2AAAAAAZBEMAAAAgCyCAQAAABBG\
        MAAAAACyCAYAAABAFsEAAAAAyCIYAAAAAGEEAwAAACCLYAAAAABkEQwAAACALIIBAAAAEEYwAAAAALIIBgAAAEAWwQAAAADIIhgA\
        AAAAYQQDAAAAIItgAAAAAGQRDAAAAIAsggEAAAAQRjAAAAAAsggGAAAAQBbBAAAAAMgiGAAAAABhBAMAAAAgi2AAAAAAZBEMAAAA\
        gCyCAQAAABDmbXEw7LaAaTu7eCwAAFTidmk+OToppVn5A22ESVhUHAMA
        """)

    /// 100 MB of zeros, through zlib twice: 304 bytes.
    static let deflateTwice = decode(
        """
        eNrt3CFOA2EUhdF/oKJBABVVGJaBISkGXQESCAvA45iE1GNYBwoPDolrQXUBBFFRBQzpLOO/5yzhypeX7/bz67VpSintw9/T93Cn\
        AAAAAJVrP+63N8eActjNT6fnAAAAQO2u93YH/VHg5+rgxBwAAABQvdnx0X7/IbC6uxmYAwAAAKo3Xi8n/S3grXsendkDAAAAqrcQ\
        DAAAAIAoggEAAACQRTAAAAAAsggGAAAAQBjBAAAAAMgiGAAAAABZBAMAAAAgi2AAAAAAhBEMAAAAgCyCAQAAAJBFMAAAAACyCAYA\
        AABAGMEAAAAAyCIYAAAAAFkEAwAAACCLYAAAAACEEQwAAACALIIBAAAAkEUwAAAAALI8rpft5jFg8t7Nf4fjAgAAUKHLrYuX0vwD\
        FceRzA==
        """)

    /// 100 MB of zeros, through brotli: 172 bytes.
    static let brotli = decode(
        """
        y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC693/8//+DfwIgDgsAdO//+P//B/8EQBwW\
        AOje//H//w/+CYA4LADQvf/j//8f/BMAcVgAoHv/x///P/gnAOKwAED3/o///3/wTwDEYQGA7v0f////4J8AiMMCAN37P/7//8E/\
        ARCHBQC693/5//+DfwIgDgsAdO9/AA==
        """)

    /// A Japanese name a thousand times, through gzip.
    static let names = decode(
        """
        H4sIAAAAAAACA+3HMQ0AIBAEMCvoZWLABgkn6gMyUMHWbq3kzN1uT61RIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIn/yAP1URWHI\
        MgAA
        """)

    private static func decode(_ text: String) -> [UInt8] {
        Array(Data(base64Encoded: text) ?? Data())
    }
}
