#if !canImport(Darwin)
  import CCurl
  import Foundation

  // What libcurl calls: on the loop's thread, with the handle as context, while the loop holds that handle.

  private func handle(_ context: UnsafeMutableRawPointer?) -> CurlHandle? {
    context.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
  }

  func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
  ) -> Int {
    handle(context)?.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
  }

  func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
  ) -> Int {
    handle(context)?.receive(header: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
  }

  func openSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
  ) -> curl_socket_t {
    guard let address, let handle = handle(context) else { return CURL_SOCKET_BAD }
    let isPrivate = withUnsafePointer(to: &address.pointee.addr) { AddressRange.isPrivate($0) }
    guard handle.allows(isPrivate: isPrivate) else { return CURL_SOCKET_BAD }
    return socket(
      address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
  }

  func checkConnection(
    _ context: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
    _ remotePort: Int32, _ localPort: Int32
  ) -> Int32 {
    guard let remote, let handle = handle(context) else { return CURL_PREREQFUNC_ABORT }
    let isAllowed = handle.allows(isPrivate: AddressRange.isPrivate(String(cString: remote)))
    return isAllowed ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
  }

  func noteProgress(
    _ context: UnsafeMutableRawPointer?, _ downTotal: curl_off_t, _ down: curl_off_t, _ upTotal: curl_off_t,
    _ up: curl_off_t
  ) -> Int32 {
    handle(context)?.note(down: down, up: up)
    return 0
  }
#endif
