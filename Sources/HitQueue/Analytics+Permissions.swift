import Dispatch
import DurableStore
public import Hits

/// What the person allows, and who the person is.
extension Analytics {
  /// Whether the person opted out, of all of the store's processes and for good until set to false (HQ-230, HQ-231).
  ///
  /// Setting true is on disk when it returns: hits that are not sent are deleted, requests under way are cancelled, and
  /// every call is refused with `optedOut`. Setting false resumes; deleted hits stay deleted.
  public var optOut: Bool {
    get { store.permissions.isOptedOut }
    set {
      do throws(StoreError) {
        try store.setOptOut(newValue)
        if newValue { try crashFiles.removeAll() }
      } catch {
        warnings.fail("the opt-out could not be written down: \(error.message)")
      }
      if newValue { intake.dropHeld(.optedOut) }
      dispatcher.handle(.optOut(newValue))
    }
  }

  /// Says what the person allows; it is on disk when this returns (HQ-220 to HQ-223).
  ///
  /// Granted releases the hits that waited for it, with the times they were made at. Denied deletes every hit that needs
  /// it, for good.
  public func consent(_ purpose: ConsentPurpose, _ state: ConsentState) {
    do throws(StoreError) {
      if try store.set(purpose, state) { dispatcher.findWaitingHits() }
    } catch {
      warnings.fail("consent could not be written down: \(error.message)")
    }
    intake.releaseHeld(store.permissions)
  }

  /// What the person allows now.
  public func consent(_ purpose: ConsentPurpose) -> ConsentState { store.permissions.consent[purpose] }

  /// Checks hits and answers, and lets nothing out: not hits queued before either (HQ-240).
  public var dryRun: Bool {
    get { intake.isDryRun }
    set {
      intake.isDryRun = newValue
      dispatcher.handle(.dryRun(newValue))
    }
  }

  /// The client id, made when there is none (HQ-210).
  public func clientID() async -> String {
    let intake = intake
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: intake.clientID()) }
    }
  }

  /// Makes a new client id for all later hits.
  ///
  /// - Throws: `HitQueueError` when it cannot be kept; the old one then stays.
  public func resetClientID() throws(HitQueueError) {
    do throws(StoreError) { try store.resetClientID() } catch { throw HitQueueError(error) }
  }
}
