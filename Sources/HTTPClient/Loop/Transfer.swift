import CCurl
import VerificationCore

/// One request out, and what has come back of it. Used on the loop's thread only.
final class Transfer {
    let submission: Submission
    let pool: Pool
    let easy: UnsafeMutableRawPointer
    private let options: TransferOptions
    private var head = AnswerHead()
    private let body = WipedBuffer()
    /// Why we ended it ourselves.
    private var refusal: OutboundFailure.Code?
    /// How often it was handed to a connection.
    private(set) var sends = 0

    /// Whether a byte of the request may have left.
    var wasSent: Bool { sends > 0 }

    init?(_ submission: Submission, in pool: Pool) {
        guard let easy = curl_easy_init() else { return nil }
        guard let options = TransferOptions(submission.request) else {
            curl_easy_cleanup(easy)
            return nil
        }
        self.submission = submission
        self.pool = pool
        self.easy = easy
        self.options = options
        let context = Unmanaged.passUnretained(self).toOpaque()
        let isReady =
            options.apply(to: easy, address: submission.address)
            && sekisho_set_callbacks(easy, context, Callbacks.body, Callbacks.head, Callbacks.beforeRequest) == CURLE_OK
        guard isReady else { return nil }
    }

    deinit {
        curl_easy_cleanup(easy)
    }

    /// Called by libcurl when the connection stands, TLS and all, and nothing of the request has been written to it;
    /// again for each time it sends the request.
    func maySend(to peer: String) -> Bool {
        let request = submission.request
        if options.demandsLoopback && !Loopback.isAddress(peer) {
            refusal = .requestRefused
            return false
        }
        guard sends < request.connection.maximumSends else {
            refusal = .connectionLost
            return false
        }
        sends += 1
        return true
    }

    /// Called by libcurl with each line of a head; `false` ends the transfer.
    func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
        do throws(AnswerHead.Problem) {
            try head.take(line, within: submission.request.limits)
            return true
        } catch {
            switch error {
            case .tooLarge: refusal = .answerTooLarge
            case .malformed: refusal = .badAnswer
            }
            return false
        }
    }

    /// Called by libcurl with pieces of the decoded body; `false` ends the transfer.
    func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard body.count + piece.count <= submission.request.limits.answerBytes else {
            refusal = .answerTooLarge
            return false
        }
        body.append(piece)
        return true
    }

    /// What became of it.
    func result(_ code: CURLcode) -> Result<OutboundAnswer, OutboundFailure> {
        if let refusal { return .failure(failure(refusal)) }
        guard code == CURLE_OK else { return .failure(failure(CurlCodes.meaning(of: code, wasSent: wasSent))) }
        guard head.isComplete else { return .failure(failure(.connectionLost)) }
        let status = sekisho_number_of(easy, CURLINFO_RESPONSE_CODE)
        guard (200...599).contains(status) else { return .failure(failure(.badAnswer)) }
        return .success(
            OutboundAnswer(status: status, headers: head.fields, body: Sensitive(body.bytes), sends: sends))
    }

    /// A failure with what is known about the sending.
    func failure(
        _ code: OutboundFailure.Code, file: StaticString = #fileID, line: Int = #line
    ) -> OutboundFailure {
        OutboundFailure(code, wasSent: wasSent, sends: sends, file: file, line: line)
    }
}
