// Guarded whole; not compiled on Linux. See AVAdPlayer.swift.
#if canImport(AVFoundation) && canImport(UIKit)
  public import Hits
  public import UIKit
  public import VideoAds

  /// Draws an overlay's model with UIKit, and reports taps by target (VA-1001, VA-1005).
  ///
  /// It lies over the layers of the player and is as large as they are.
  @MainActor
  public final class AdOverlayUIView: UIView {
    /// Hears taps.
    public var onTap: (@MainActor (OverlayTarget, AdPoint?) -> Void)?
    private let images: ImageFetch
    private var drawn: [OverlayPart.ID: (part: OverlayPart, view: UIView)] = [:]
    private var model: OverlayModel?

    /// Makes a view whose icons come through a transport.
    public init(transport: any HTTPTransport) {
      images = ImageFetch(transport: transport)
      super.init(frame: .zero)
      addGestureRecognizer(UITapGestureRecognizer(target: self, action: #selector(tapped)))
    }

    /// Not made by a storyboard.
    public required init?(coder: NSCoder) { nil }

    /// Shows a model; nil shows nothing.
    public func show(_ model: OverlayModel?) {
      self.model = model
      let size = AdSize(width: bounds.width, height: bounds.height)
      let parts = model?.parts(in: size) ?? []
      let ids = Set(parts.map(\.id))
      for (id, old) in drawn where !ids.contains(id) {
        old.view.removeFromSuperview()
        drawn[id] = nil
      }
      for part in parts {
        let view = drawn[part.id]?.view ?? add(part)
        update(view, part)
        drawn[part.id] = (part, view)
      }
      accessibilityElements = parts.sorted { $0.order < $1.order }.compactMap { drawn[$0.id]?.view }
      if let text = model?.announcement { UIAccessibility.post(notification: .announcement, argument: text) }
    }

    @objc private func tapped(_ gesture: UITapGestureRecognizer) {
      let place = gesture.location(in: self)
      let point = AdPoint(x: place.x, y: place.y)
      if let model { onTap?(model.target(at: point), point) }
    }

    private func add(_ part: OverlayPart) -> UIView {
      let view: UIView
      switch part.kind {
      case .text:
        let label = UILabel()
        label.font = .preferredFont(forTextStyle: .footnote)
        label.textColor = part.id == .attribution ? .black : .white
        label.backgroundColor = part.id == .attribution ? .systemYellow : .clear
        label.textAlignment = part.id == .attribution ? .center : .natural
        view = label
      case .button, .image:
        let button = UIButton(type: .custom)
        button.titleLabel?.font = .preferredFont(forTextStyle: .footnote)
        button.titleLabel?.adjustsFontSizeToFitWidth = true
        if part.kind == .button {
          button.backgroundColor = UIColor.black.withAlphaComponent(0.75)
          button.layer.borderColor = UIColor.white.cgColor
          button.layer.borderWidth = 1
          button.layer.cornerRadius = 4
        }
        if let target = part.target {
          button.addAction(UIAction { [weak self] _ in self?.onTap?(target, nil) }, for: .primaryActionTriggered)
        }
        if case .image(let url) = part.kind { load(url, into: button) }
        view = button
      case .activity:
        let spinner = UIActivityIndicatorView(style: .large)
        spinner.startAnimating()
        view = spinner
      }
      addSubview(view)
      return view
    }

    private func update(_ view: UIView, _ part: OverlayPart) {
      let (origin, size) = (part.rectangle.origin, part.rectangle.size)
      view.frame = CGRect(x: origin.x, y: origin.y, width: size.width, height: size.height)
      view.semanticContentAttribute = model?.isRightToLeft == true ? .forceRightToLeft : .forceLeftToRight
      view.isAccessibilityElement = part.kind != .activity
      view.accessibilityLabel = part.label
      (view as? UILabel)?.text = part.text
      guard let button = view as? UIButton else { return }
      button.isEnabled = part.isEnabled
      if button.image(for: .normal) == nil { button.setTitle(part.text, for: .normal) }
    }

    private func load(_ url: String, into button: UIButton) {
      let images = images
      Task { [weak button] in
        guard let bytes = await images.image(url), let image = UIImage(data: Data(bytes)) else { return }
        button?.setTitle(nil, for: .normal)
        button?.setImage(image, for: .normal)
      }
    }
  }
#endif
