{
  description = "Language server and engine for AI pipelines written in Graphviz DOT";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      forEach = build: nixpkgs.lib.genAttrs systems (system: build nixpkgs.legacyPackages.${system});
    in
    {
      packages = forEach (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "attractor";
          version = (nixpkgs.lib.importTOML ./Cargo.toml).workspace.package.version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          # What `attractor --version` reports: the source in the store has no repository.
          env.ATTRACTOR_COMMIT = self.rev or self.dirtyRev or "";
          cargoBuildFlags = [ "-p" "attractor-cli" ];
          # The tests start editors and install packages.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            $out/bin/attractor man man
            installManPage man/*.1
            installShellCompletion --cmd attractor \
              --bash <($out/bin/attractor completions bash) \
              --fish <($out/bin/attractor completions fish) \
              --zsh <($out/bin/attractor completions zsh)
          '';
          meta = {
            description = "Language server and engine for AI pipelines written in Graphviz DOT";
            homepage = "https://github.com/attractor-dot/attractor";
            license = with nixpkgs.lib.licenses; [ asl20 mit ];
            mainProgram = "attractor";
          };
        };
      });

      devShells = forEach (pkgs: {
        default = pkgs.mkShell {
          packages = with pkgs; [ cargo rustc rustfmt clippy just nodejs_22 graphviz python3 ];
        };
      });
    };
}
