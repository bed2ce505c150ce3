#if !canImport(Darwin)
  import CCurl
  import Foundation
  import Hits

  extension TransportError.Code {
    /// The code of a libcurl result; the system's error number tells apart why no connection was made.
    init(_ result: CURLcode, systemError: Int) {
      self =
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .dns
        case CURLE_COULDNT_CONNECT: Self.unconnected(systemError)
        case CURLE_OPERATION_TIMEDOUT: .timeout
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
          CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
          CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
          CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
          .tls
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .keyNotPinned
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_FUNCTION_ARGUMENT: .invalidRequest
        case CURLE_BAD_CONTENT_ENCODING: .encoding
        default: .connection
        }
    }

    private static func unconnected(_ systemError: Int) -> Self {
      switch Int32(clamping: systemError) {
      case ECONNREFUSED: .refused
      case ENETUNREACH, ENETDOWN: .offline
      default: .connection
      }
    }
  }

  extension Duration {
    /// Whole milliseconds, at least 1: libcurl reads 0 as "no bound".
    func milliseconds(atMost limit: Int) -> Int {
      let (seconds, attoseconds) = components
      guard seconds >= 0 else { return 1 }
      guard seconds < Int64(limit) else { return limit }
      return max(1, min(limit, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)))
    }
  }
#endif
