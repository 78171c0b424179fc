import type { ProgramOptions } from "./program-options.ts";

const npmOptions = `
      --script-shell --shell --prefix -C --local-prefix --globalconfig --userconfig --init-module --init.module
      --cache --registry --node-options --node-gyp --python --git --editor --viewer --browser --call -c --package -p
      --global -g --location -L --pack-destination --logs-dir --https-proxy --http-proxy --proxy --cafile --ca --cert
      --key --nodedir --onload-script --@* --//* --_auth* --config.* --dir --cwd --modules-dir --store-dir
      --virtual-store-dir --global-dir --shell-emulator --pnpmfile --global-pnpmfile --lockfile-dir --bin
      --shamefully-hoist --use-yarnrc --modules-folder --preferred-cache-folder --cache-folder --global-folder
      --link-folder --otp --http-user-agent --scripts-prepend-node-path`;

/** Package managers: https://docs.npmjs.com/cli, https://pnpm.io/cli, https://pip.pypa.io/en/stable/cli and others. */
export const packageManagers: readonly ProgramOptions[] = [
  {
    names: "npm",
    style: "both",
    options: npmOptions,
    valued: "Ccw",
    harmless: "-s -q -d -h -v -f -l -a --silent --if-present --ignore-scripts --workspaces -ws --yes -y --no",
    shortSubcommands: true,
    subcommands: `
      exec x explore config c set set-script init create innit edit publish unpublish token login adduser add-user
      link ln owner access profile team org hook dist-tag dist-tags deprecate star unstar run-script-shell`,
    within: { pkg: { subcommands: "set delete fix" }, cache: { subcommands: "add" } },
  },
  {
    names: "pnpm yarn yarnpkg",
    style: "both",
    options: npmOptions,
    harmless: "-s -r -w --silent --recursive --if-present --frozen-lockfile --ignore-scripts",
    subcommands: `
      exec dlx create init config set publish login link env patch patch-commit node deploy store plugin unplug
      global policies setup server self-update npm`,
    within: { workspace: { subcommands: "exec" }, workspaces: { subcommands: "foreach" } },
  },
  {
    names: "npx pnpx",
    style: "both",
    options: npmOptions,
    valued: "pc",
    harmless: "-y --yes --no --no-install -q --quiet",
    runs: 1,
  },
  { names: "bunx", options: "-p --package", harmless: "--bun --silent --verbose", runs: 1 },
  {
    names: "pip pipx pipenv",
    options: `
      -i --index-url --extra-index-url -f --find-links --trusted-host --proxy --cert --client-cert -t --target
      --prefix --root --src --cache-dir --log --log-file --report --python -e --editable -r --requirement -c
      --constraint --build-option --global-option --config-settings -C --install-option -d --dest --download-dir -w
      --wheel-dir --keyring-provider --editor --user --break-system-packages --pip-args --spec
      --ignore-requires-python`,
    subcommands: "config run runpip download wheel shell open",
    operands: /:\/\/|^git\+|^[.~/]|@ /,
  },
  {
    names: "uv uvx",
    options: `
      --index-url --default-index --index --extra-index-url -i -f --find-links --with --with-editable
      --with-requirements --from --python -p --config-file --directory --project --target --prefix --cache-dir -r
      --requirements -e --editable --env-file --allow-insecure-host --publish-url --output-file -o --out-dir
      --script -s --module -m --build-constraint`,
    subcommands: "run tool publish init self x",
  },
  {
    names: "poetry pdm hatch rye conda mamba",
    options: `
      -C --directory -P --project --config -c --global -g -p --prefix --channel --repository -r --dist-dir -o
      --output`,
    subcommands: "run config publish shell env self source init plugin script",
  },
  {
    names: "gem bundle bundler",
    options: `
      --config-file --source -s --clear-sources -i --install-dir -n --bindir --file -g --gemfile --path
      --trust-policy --env-shebang --build-root --http-proxy -p -e --editor --force-ruby-platform --key --host
      --binstubs`,
    subcommands: "exec open push sources owner signin config console init gem plugin inject cert server",
  },
  {
    names: "composer",
    options: "-d --working-dir --repository --repository-url --editor --global --target-directory --dir",
    subcommands: "exec config global run-script create-project self-update selfupdate init archive",
  },
  {
    names: `
      apt apt-get aptitude dpkg rpm dnf yum zypper pacman apk brew port snap flatpak nix nix-env nix-shell guix
      choco winget scoop`,
    options: `
      -o --option -c --config-file --root --rootdir --admindir --instdir --dbpath --pipe --eval -E --rcfile --macros
      --installroot --setopt --repofrompath --config --dbonly -b --hookdir -X --repository --keys-dir
      --allow-untrusted --run --command --expr --impure -f --file -I --pre-invoke --post-invoke --status-logger
      --force-confnew --gpgdir`,
    subcommands: "shell develop run edit create sh exec extract log edit-sources tap",
  },
  {
    names: "mvn mvnw",
    options: `
      -D --define -f --file -s --settings -gs --global-settings -t --toolchains -l --log-file -P --activate-profiles
      -P --global-toolchains -gt --builder -b`,
    operands: /^(?:exec|antrun|groovy|gmaven|org\.|com\.|io\.).*:/,
    style: "letters",
  },
  {
    names: "gradle gradlew",
    options: `
      -D --system-prop -P --project-prop -I --init-script -b --build-file -c --settings-file -p --project-dir -g
      --gradle-user-home --include-build --project-cache-dir --write-verification-metadata --scan`,
    valued: "x",
  },
  {
    names: "ant",
    style: "names",
    options: "-D* -f -file -buildfile -lib -logger -listener -inputhandler -propertyfile -l -logfile -cp",
  },
  {
    names: "sbt",
    options: "-D -J --ivy --sbt-jar --sbt-create --java-home --addPluginSbtFile",
    operands: /^(?:eval|set|!|-)|^;/,
  },
  { names: "corepack", runs: 1 },
  { names: "volta fnm nvm", options: "--node-dist-mirror --fnm-dir --alias", subcommands: "run exec" },
];
