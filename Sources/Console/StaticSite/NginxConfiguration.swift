import Hits

/// A site's manifest as configuration for nginx (CO-406): maps for its `http` block, locations for a `server` block.
///
/// nginx reads its maps when it starts or reloads. So the path of a container is mapped to the file of a version: body,
/// validator and signature change together, with the reload.
struct NginxConfiguration {
  private let files: [(path: String, file: SiteManifest.File)]

  init(_ manifest: SiteManifest) {
    files = manifest.files.map { ($0.key, $0.value) }.sorted { $0.path.precedesInBytes($1.path) }
  }

  /// The variables of the headers, in the order in which they are written.
  private static let headers = [
    ("ETag", "etag"), ("Tagworks-Version", "version"), ("Tagworks-Sequence", "sequence"),
    ("Tagworks-Published", "published"), ("Tagworks-Signature", "signature"),
  ]

  /// The file for the `http` block.
  var maps: String {
    let moving = files.filter { $0.file.content != $0.path }
    var text = """
      # Written by tagworks. Include this in nginx's http block, and reload nginx after each publish.
      map_hash_bucket_size 256;
      map_hash_max_size 16384;

      """
    text += Self.map("$uri", "$tagworks_file", moving.map { ($0.path, $0.file.content) })
    text += Self.map(
      "\"$uri $http_if_none_match\"", "$tagworks_unchanged",
      moving.flatMap { path, file in
        let etag = file.headers["ETag"] ?? ""
        return [("\(path) \(etag)", "1"), ("\(path) W/\(etag)", "1")]
      })
    for (name, variable) in Self.headers {
      text += Self.map(
        "$uri", "$tagworks_\(variable)",
        files.compactMap { path, file in file.headers[name].map { (path, $0) } })
    }
    return text
  }

  /// The file for a `server` block whose `root` is the site's directory.
  static let locations = """
    # Written by tagworks. Include this in a server block whose root is this directory.
    location /v1/containers/ {
      if (!-f $document_root$uri) { return 404; }
      if ($tagworks_unchanged) { return 304; }
      try_files $tagworks_file =404;
    \(content(caching: DeliveryBody.cacheControl))
    }
    location /v1/versions/ {
    \(content(caching: SiteHeaders.immutable))
    }

    """

  private static func content(caching: String) -> String {
    let fields = headers.map { "  add_header \($0.0) $tagworks_\($0.1);" }
    return
      (["  types { }", "  default_type application/json;", "  etag off;", "  if_modified_since off;"]
      + ["  gzip_static on;", "  gzip_vary on;", "  add_header Cache-Control \"\(caching)\";"] + fields)
      .joined(separator: "\n")
  }

  private static func map(_ source: String, _ variable: String, _ entries: [(key: String, value: String)]) -> String {
    let lines = entries.map { "  \(quoted($0.key)) \(quoted($0.value));\n" }.joined()
    return "map \(source) \(variable) {\n  default \"\";\n\(lines)}\n"
  }

  /// A text between quotes; nothing that is written here has a dollar sign, which nginx cannot quote.
  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
