// A tag manager on a durable queue, with a container the app ships with.
import HTTPClient
import HitQueue
import Hits
import TagManager

// snippet.show
let analytics = try Analytics(store: HitStoreConfiguration(), transport: PlatformTransport())
analytics.defaultDestination = .measurementProtocol("https://collect.example.com")
let ports = TagManager.Ports(
  sink: analytics, dispatcher: analytics, defaultContainers: DirectoryDefaultContainers(path: "Containers"))
let tagManager = TagManager(ports: ports)
let container = try tagManager.openContainer("GTM-SHOP")
tagManager.dataLayer.push(["event": "openScreen", "screenName": "Home"])
print(container.string(for: "greeting"))  // Hello
