import type { ProgramOptions } from "./program-options.ts";

/** Programs for files, archives, containers and processes. */
export const systemTools: readonly ProgramOptions[] = [
  {
    names: "tar bsdtar",
    options: `
      -I -F -C -P -T -g -L -s --to-command --use-compress-program --checkpoint-action --rsh-command --rmt-command
      --info-script --new-volume-script --directory --absolute-names --files-from --listed-incremental --index-file
      --transform --xform --remove-files --volno-file --cd --options`,
    valued: "fCTXIFgLHNVKb",
    harmless: "--create --extract --get --list --file --gzip --bzip2 --xz --verbose",
    operands: /:/,
    bareLetters: true,
  },
  {
    names: "zip",
    options: "-T -b -O -@ --test --unzip-command --temp-path --out --output-file --logfile-path",
  },
  {
    names: "7z 7za 7zz rar unrar",
    style: "names",
    options: "-o* -w* -sf* -si* -i@* -x@* -ilog*",
    operands: /^@/,
  },
  { names: "unzip", options: "-d -o -K -:", valued: "dP" },
  {
    names: "gzip bzip2 xz zstd lz4 brotli pigz",
    options: "-o -O -S -D --suffix --output --output-dir-flat --output-dir-mirror --filelist --patch-from --train*",
  },
  {
    names: "cpio pax",
    options: "-o -F -O -I -E -D -M -s -T --rsh-command --file --directory --rename --rename-batch-file --owner",
  },
  { names: "install", options: "--strip-program" },
  {
    names: "docker podman nerdctl docker-compose",
    options: `
      -v --volume --mount --privileged -H --host --config -c --context --tlscacert --tlscert --tlskey --root
      --runroot --storage-opt --runtime --hooks-dir --conmon --url --connection --identity --module --env-file
      --security-opt --cap-add --device --pid --userns --entrypoint --cidfile --iidfile --output -o --secret --ssh
      --build-context`,
    harmless: "--version --volumes -a --all -q --quiet",
    subcommands: `
      run exec build buildx builder cp push login logout load import save export create commit context config plugin
      swarm service stack secret trust extension model mcp sandbox generate play kube unshare mount artifact
      manifest`,
    within: {
      compose: {
        before: "-f",
        options: "--file --project-directory",
        subcommands: "run exec up create cp build push publish config watch attach export commit start",
      },
      container: { subcommands: "run exec cp create commit export update" },
      image: { subcommands: "build push load save import" },
      volume: { subcommands: "create import export" },
      network: { subcommands: "create connect" },
    },
  },
  {
    names: "kubectl oc",
    options: `
      --kubeconfig --context --server -s --token --as --as-* --cluster --user --cache-dir --profile-output -k
      --kustomize --certificate-authority --client-* --insecure-skip-tls-verify --log-file --output-directory
      --enable-alpha-plugins`,
    subcommands: `
      apply exec run cp port-forward proxy attach edit create delete replace patch set scale debug config plugin
      annotate label cordon drain taint expose rollout autoscale certificate auth kuberc rsh rsync adm new-app
      start-build`,
  },
  {
    names: "helm minikube kind kustomize",
    options: `
      --kubeconfig --kube-* --post-renderer --post-renderer-args --repository-config --repository-cache
      --registry-config --enable-exec --enable-helm --helm-command --load-restrictor --output-dir --network --mount
      -f --values --set*`,
    subcommands: `
      install upgrade uninstall rollback push pull package repo registry dependency plugin ssh cp mount start stop`,
  },
  {
    names: "terraform tofu terragrunt packer vagrant",
    style: "names",
    options: `
      -chdir -plugin-dir -backend-config -var-file -var -state -state-out -backup -out -from-module
      -generate-config-out -config*`,
    subcommands: `
      apply destroy import console taint untaint state workspace force-unlock login init up ssh powershell provision
      build`,
  },
  {
    names: "ansible ansible-playbook ansible-galaxy",
    style: "names",
    options: `
      -i -inventory* -e -extra-vars -m -module-name -a -args -M -module-path -ssh-* -sftp-* -scp-* -connection -c
      -private-key -key-file -vault-password-file -vault-id -playbook-dir -become* -tree`,
    operands: /^@/,
  },
  {
    names: `
      strace ltrace gdbserver valgrind perf stdbuf flock setarch choom cpulimit ionice chrt taskset numactl prlimit
      unbuffer rlwrap entr script caffeinate systemd-run runuser su sg chroot unshare nsenter firejail bwrap
      fakeroot faketime dbus-run-session xvfb-run tini dumb-init setlock softlimit multitime distcc ccache sccache
      dotenv env-cmd cross-env direnv proot mise asdf pyenv rbenv nodenv pkexec nyc c8`,
    options: "-o -c -e -E -S -x -w --output --command --shell --exec --eval --log-file --file --append --require -r",
    runs: 1,
  },
  {
    names: `
      export declare typeset readonly local alias hash enable bind complete shopt set source . read mapfile
      readarray fc`,
    operands: /^/,
  },
  { names: "printf", options: "-v" },
  { names: "date hostname", options: "-s --set -f --file -F --file", harmless: "-R -u -I" },
  {
    names: "sysctl mount umount ip iptables nft crontab at batch",
    options: "-w -p -f -F -b --load --write -o -e -r",
    subcommands: "netns",
    operands: /=/,
  },
  {
    names: "systemctl journalctl launchctl service",
    options: "-H -M --host --machine --root --image -D --directory --file --output-fields --vacuum-* --rotate",
    subcommands: "link edit enable set-environment import-environment start restart run bootstrap load submit",
  },
  {
    names: "tmux screen zellij dtach",
    options: "-f -c -S -L -X -s -e --config --layout --config-dir",
    subcommands: "*",
  },
  {
    names: "gpg gpg2 age sops pass",
    options: `
      -o --output --homedir --options --keyring --trustdb-name --agent-program --dirmngr-program --photo-viewer
      --exec-path --load-extension --status-file --logger-file --attribute-file --keyserver --passphrase-*
      --command-file --pinentry-* --import-filter --export-* --send-keys -i --in-place`,
    subcommands: "edit exec-env exec-file git generate insert init",
  },
  { names: "lsof top htop lp lpr xdg-open open", options: "-D -a -n -W -o -h -H --args --env" },
  {
    names: "watch cross-env-shell",
    options: "-x --exec -o -e -r --require",
    valued: "n",
    runs: 1,
    joins: true,
  },
  {
    names: "parallel concurrently npm-run-all run-s run-p",
    operands: /^/,
    options: "-a --arg-file -S --shell",
  },
];
