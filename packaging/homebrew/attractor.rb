class Attractor < Formula
  desc "Language server and engine for AI pipelines written in Graphviz DOT"
  homepage "https://github.com/attractor-dot/attractor"
  version "@VERSION@"
  license any_of: ["Apache-2.0", "MIT"]

  on_macos do
    on_arm do
      url "https://github.com/attractor-dot/attractor/releases/download/v@VERSION@/attractor-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256:aarch64-apple-darwin@"
    end
    on_intel do
      url "https://github.com/attractor-dot/attractor/releases/download/v@VERSION@/attractor-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256:x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/attractor-dot/attractor/releases/download/v@VERSION@/attractor-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "https://github.com/attractor-dot/attractor/releases/download/v@VERSION@/attractor-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "attractor"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/attractor.bash" => "attractor"
    fish_completion.install "completions/attractor.fish"
    zsh_completion.install "completions/_attractor"
  end

  test do
    (testpath/"hello.dot").write <<~DOT
      digraph hello {
          start [shape=Mdiamond]
          done  [shape=Msquare]

          start -> done
      }
    DOT
    system bin/"attractor", "validate", "hello.dot"
  end
end
