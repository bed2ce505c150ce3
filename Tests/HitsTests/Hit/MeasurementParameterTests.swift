import Foundation
import Hits
import Testing

@Suite struct MeasurementParameterTests {
  @Test("HQ-130: the table agrees with the protocol's reference row by row")
  func reference() throws {
    let package = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
    let path = package + "/../shared/spec/mp-v1-parameters.tsv"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      print("MeasurementParameterTests: no ../shared/spec/mp-v1-parameters.tsv; nothing was checked")
      return
    }
    let rows = text.split(separator: "\n").dropFirst().map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(rows.count == MeasurementParameter.all.count)
    let table = Dictionary(uniqueKeysWithValues: MeasurementParameter.all.map { ($0.pattern, $0) })
    for row in rows {
      let pattern = row[0].replacing(/<[a-z]>/, with: "#")
      let parameter = try #require(table[pattern], "\(row[0])")
      #expect(Self.isForm(parameter.form, row[3], limit: Int(row[4]), note: row[9]), "\(row[0])")
      #expect(parameter.indexes.count == pattern.count { $0 == "#" }, "\(row[0])")
      #expect(parameter.kinds == Self.kinds(row[5]), "\(row[0])")
    }
  }

  private static func isForm(_ form: MeasurementParameter.Form, _ type: String, limit: Int?, note: String) -> Bool {
    switch form {
    case .text(let bytes): type == "text" && bytes == limit
    case .integer(let minimum):
      type == "integer" && minimum == (note.contains(">= 0") ? 0 : note.contains(">= 1") ? 1 : nil)
    case .number: type == "number"
    case .currency: type == "currency"
    case .boolean: type == "boolean"
    case .presence: type == "presence"
    case .oneOf(let words):
      type == "enum" && Set(words).isSubset(of: Set(note.split { !$0.isLetter && $0 != "_" }.map(String.init)))
    case .local: type == "local"
    }
  }

  private static func kinds(_ column: String) -> HitKinds {
    guard column != "all", column != "-" else { return .all }
    let names: [String: HitKinds] = [
      "event": .event, "transaction": .transaction, "item": .item, "social": .social, "timing": .timing,
      "exception": .exception,
    ]
    let kinds = column.split { !$0.isLetter }.compactMap { names[String($0)] }
    return HitKinds(kinds).union(column.contains("all with pa") ? .productAction : [])
  }

  @Test("HQ-130: indexed names are known within their indexes", arguments: ["cd1", "cd200", "pr7ca", "il30pi200cd200"])
  func indexed(name: String) {
    guard case .known = MeasurementParameter.lookUp(name) else {
      Issue.record("\(name) is not known")
      return
    }
  }

  @Test(
    "HQ-112: other names are not", arguments: ["cd#", "cd01", "pr7zz", "cd1x", "xcd1", "", "cd99999999999999999999"])
  func unknown(name: String) {
    #expect(MeasurementParameter.lookUp(name) == .unknown)
  }
}
