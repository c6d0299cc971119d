import CCurl

/// libcurl's codes in our words.
enum CurlCodes {
    /// The most fitting failure. `wasSent` decides where one code of libcurl's stands for two things.
    static func meaning(of code: CURLcode, wasSent: Bool) -> OutboundFailure.Code {
        switch code {
        // A line of a head that is longer than 100 kB is "out of memory" to libcurl 7.88.
        case CURLE_OUT_OF_MEMORY: wasSent ? .answerTooLarge : .noResources
        case CURLE_FAILED_INIT: .noResources
        case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION, CURLE_NOT_BUILT_IN: .requestRefused
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .dnsFailed
        case CURLE_OPERATION_TIMEDOUT: wasSent ? .timedOut : .timedOutBeforeSending
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
            wasSent ? .connectionLost : .tlsFailed
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            // A frame that breaks HTTP/2 and a stream that was reset look the same here; neither gave an answer.
            wasSent ? .badAnswer : .connectFailed
        case CURLE_FILESIZE_EXCEEDED: .answerTooLarge
        default: wasSent ? .connectionLost : .connectFailed
        }
    }
}
