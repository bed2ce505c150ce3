// A container over the network: opened with what is newest in two seconds, from disk when there is no network.
import TagManager
import Tagworks

// snippet.show
let tagManager = try TagManager.live(LiveSettings(server: .tagworks("https://tags.example.com")))
let result = try await ContainerOpener.open("GTM-SHOP", in: tagManager, prefer: .fresh)
print(result.container.string(for: "greeting"), "from", result.source.rawValue)
tagManager.dataLayer.push(["event": "openScreen", "screenName": "Home"])
