package import TagManager

/// The port by which the console keeps authors' work (CO-1000); one contract suite runs on every implementation.
///
/// Every change is one transaction, durable on return, with its line in the activity log. Containers that were removed
/// take part in nothing until they are restored: their ids give `notFound` or nil.
package protocol WorkspaceStore: AccountStore {
  // Setting up (CO-100).

  /// Whether there is a first administrator.
  func isSetUp() async throws(WorkspaceStoreError) -> Bool

  /// Lets a one-time token set up the server, in place of an earlier one; false when it is set up.
  func offerSetup(_ digest: SecretDigest) async throws(WorkspaceStoreError) -> Bool

  /// Makes the first administrator, with a password, a token or both; false, and nothing, unless the one-time token is
  /// the one on offer.
  func setUp(
    with digest: SecretDigest, administrator: ConsoleUser, password: String?, token: AccessToken?
  ) async throws(WorkspaceStoreError) -> Bool

  // Containers and their drafts.

  /// Containers above an id, in byte order of their ids.
  func containers(after id: ContainerID?, limit: Int) async throws(WorkspaceStoreError) -> [AuthoredContainer]

  func container(_ id: ContainerID) async throws(WorkspaceStoreError) -> AuthoredContainer?

  /// Adds a container with its first draft and its environment `live`.
  ///
  /// - Throws: `exists` for an id that any container has or had.
  func create(
    _ container: AuthoredContainer, draft text: [UInt8], by authorship: Authorship
  ) async throws(WorkspaceStoreError)

  /// Gives a container another name.
  func rename(
    _ id: ContainerID, to name: String, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> AuthoredContainer

  /// Says whether somebody who has changed nothing of a version must publish it, or approve of it (CO-402).
  func setApproval(
    _ isRequired: Bool, of id: ContainerID, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> AuthoredContainer

  /// Puts a container away; `restore` brings it back with all that belongs to it.
  func remove(_ id: ContainerID, by authorship: Authorship) async throws(WorkspaceStoreError)

  /// - Throws: `notFound` for one that was not removed.
  func restore(_ id: ContainerID, by authorship: Authorship) async throws(WorkspaceStoreError)

  /// The containers that are removed and could be restored, in byte order of their ids.
  func removedContainers() async throws(WorkspaceStoreError) -> [ContainerID]

  /// The draft of a container; nil without the container.
  func draft(of id: ContainerID) async throws(WorkspaceStoreError) -> Draft?

  /// Replaces a draft that is still what the author began with (CO-401).
  ///
  /// - Parameter subject: what was changed in it, for the log.
  func save(
    _ text: [UInt8], of id: ContainerID, basedOn revision: Int64, subject: String, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> BasedOutcome<Draft>

  // Versions.

  /// Makes a version of a draft that is still what the author has seen.
  func createVersion(
    of id: ContainerID, basedOn revision: Int64, name: String, notes: String, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> BasedOutcome<ContainerVersion>

  /// Versions below a number, the newest first.
  func versions(
    of id: ContainerID, before number: Int?, limit: Int
  ) async throws(WorkspaceStoreError) -> [ContainerVersion]

  func version(_ number: Int, of id: ContainerID) async throws(WorkspaceStoreError) -> ContainerVersion?

  /// Approves of a version.
  ///
  /// - Throws: `approvalNeeded` for somebody whose changes are in it.
  func approve(
    _ version: Int, of id: ContainerID, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> ContainerVersion

  /// The export text of a version, byte for byte what the draft was.
  func text(ofVersion number: Int, of id: ContainerID) async throws(WorkspaceStoreError) -> [UInt8]?

  // Environments and publications.

  /// The environments of a container in the order of their numbers.
  func environments(of id: ContainerID) async throws(WorkspaceStoreError) -> [ContainerEnvironment]

  /// - Throws: `exists` for a name that is taken, in whatever case of its letters.
  func createEnvironment(
    _ name: String, of id: ContainerID, digest: SecretDigest, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> ContainerEnvironment

  /// Lets another token in, and the former no more.
  func renewToken(
    ofEnvironment name: String, of id: ContainerID, digest: SecretDigest, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> ContainerEnvironment

  /// - Throws: `invalid` for `live`.
  func removeEnvironment(
    _ name: String, of id: ContainerID, by authorship: Authorship
  ) async throws(WorkspaceStoreError)

  /// Makes a version live in an environment (CO-400, CO-404).
  ///
  /// A share below all leaves the other installs what they have: what was settled before. Publishing the version again
  /// changes its share.
  ///
  /// - Throws: `invalid` for a share where there is nothing else that the others could have, `approvalNeeded` for changes
  ///   that were never live there, by somebody who has made some of them, without another's approval (CO-402), and
  ///   `superseded` when another publication is in force than the one it is to follow.
  /// - Parameter inForce: the number of the publication that it is to follow; nil for whichever it is.
  func publish(
    _ version: Int, of id: ContainerID, in environment: String, share: RolloutShare, after inForce: Int64?,
    by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> Publication

  /// Publications of an environment, the newest first; the first one is in force.
  func publications(
    of id: ContainerID, in environment: String, limit: Int
  ) async throws(WorkspaceStoreError) -> [Publication]

  /// What is in force in every environment of every container.
  func publicationsInForce() async throws(WorkspaceStoreError) -> [Publication]

  /// A number that is another one after each change of containers, environments and publications: whoever keeps copies
  /// of them asks for it (CO-602). It is cheap.
  func deliveryStamp() async throws(WorkspaceStoreError) -> Int64

  // Tokens.

  func create(_ token: AccessToken, by authorship: Authorship) async throws(WorkspaceStoreError)

  /// The token of a digest, valid or not.
  func token(_ digest: SecretDigest) async throws(WorkspaceStoreError) -> AccessToken?

  /// The tokens of a container, or all tokens, the oldest first.
  func tokens(of container: ContainerID?) async throws(WorkspaceStoreError) -> [AccessToken]

  /// - Throws: `notFound` for an id that no token has, `lastAdministrator` when nobody could let others in any more.
  func revokeToken(_ id: String, by authorship: Authorship) async throws(WorkspaceStoreError)

  func create(_ token: PreviewToken) async throws(WorkspaceStoreError)

  /// The preview token of a digest, valid or not; nil too when its container is removed.
  func previewToken(_ digest: SecretDigest) async throws(WorkspaceStoreError) -> PreviewToken?

  /// The preview tokens of a container, the newest first.
  func previewTokens(of id: ContainerID) async throws(WorkspaceStoreError) -> [PreviewToken]

  /// - Throws: `notFound` for an id that no preview token of the container has.
  func revokePreviewToken(
    _ id: String, of container: ContainerID, by authorship: Authorship
  ) async throws(WorkspaceStoreError)

  // The activity log (CO-403).

  /// Adds a line about what is no change of the store itself.
  func note(_ activity: Activity) async throws(WorkspaceStoreError)

  /// Lines below a position, the newest first, about a container or about all.
  func activities(
    before position: Int64?, of container: ContainerID?, limit: Int
  ) async throws(WorkspaceStoreError) -> [PositionedActivity]
}
