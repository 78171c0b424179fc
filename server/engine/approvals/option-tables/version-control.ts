import type { ProgramOptions, WordTable } from "./program-options.ts";

const transport: WordTable = { options: "--upload-pack --exec", operands: /::/ };

/** https://git-scm.com/docs, https://www.mercurial-scm.org/help, https://subversion.apache.org/docs */
export const versionControl: readonly ProgramOptions[] = [
  {
    names: "git",
    options: `
      --output --output-directory --upload-pack --receive-pack --exec --exec-path --config-env --ext-diff --textconv
      --open-files-in-pager --git-dir --work-tree --unsafe-paths --export-marks --remote-cmd`,
    before: "-c -C",
    subcommands: `
      config difftool mergetool filter-branch daemon instaweb send-email imap-send credential hook maintenance
      bundle fast-import fast-export shell gui citool gitk web--browse remote-ext remote-fd upload-pack receive-pack
      upload-archive http-push cvsserver p4 svn cvsimport cvsexportcommit archimport quiltimport request-pull
      apply am update-index read-tree mktree commit-tree update-server-info scalar update-ref symbolic-ref replace mailinfo mailsplit for-each-repo fsmonitor--daemon`,
    within: {
      grep: { options: "-O", valued: "ABCefm" },
      clone: { ...transport, options: "-u -c --upload-pack --template --config --separate-git-dir", valued: "bjo" },
      init: { options: "--template --separate-git-dir", valued: "b" },
      fetch: transport,
      pull: transport,
      "ls-remote": transport,
      "fetch-pack": transport,
      push: { options: "--receive-pack --exec --repo", operands: /^[a-z][a-z0-9+.-]*:\/\/|::|^[^/@]*@[^/:]*:|^[./~]/i },
      "send-pack": { options: "--receive-pack --exec" },
      archive: { options: "-o --remote --exec --output" },
      "format-patch": { options: "-o" },
      rebase: { options: "-x --exec", valued: "CsX" },
      bisect: { subcommands: "run view visualize" },
      submodule: { subcommands: "foreach add set-url update", options: "--command" },
      "submodule--helper": { operands: /^/ },
      remote: { subcommands: "add set-url", operands: /::/ },
      worktree: { subcommands: "add move" },
      notes: { subcommands: "edit" },
      "hash-object": { options: "-w" },
      "interpret-trailers": { options: "--in-place" },
      "checkout-index": { options: "--prefix" },
      "cat-file": { options: "--filters --textconv" },
      help: { options: "-w -i --web --info", subcommands: "config" },
      branch: { options: "--edit-description" },
      commit: { options: "-t -F --template --file", valued: "mcCuS" },
      tag: { options: "-F -u --file --local-user", valued: "mn" },
      lfs: { subcommands: "install track" },
      stash: {},
    },
  },
  {
    names: "hg chg",
    options: `
      --config --config-file --cwd -R --repository -o --output --ssh -e --remotecmd --debugger --tool --profile
      --template -T`,
    subcommands: "alias archive serve extdiff bisect debugshell config debugconfig email bundle export",
    shortSubcommands: true,
  },
  {
    names: "svn",
    options: "--config-dir --config-option --diff-cmd --diff3-cmd --editor-cmd -F --file --targets",
  },
  {
    names: "svnadmin svnlook bzr brz cvs p4 fossil jj",
    options: "--config --config-file --config-toml -R --repository",
  },
  {
    names: "tig lazygit",
    style: "both",
    options: "-C -ucf --use-config-file -g --git-dir -w --work-tree -p --path",
  },
  {
    names: "gh glab",
    options: `
      -o --output -O --output-dir -D --dir --clobber -F --field --input --template-file --body-file --hostname --web`,
    valued: "RLqtHXB",
    subcommands: `
      alias extension ext extensions config auth secret variable codespace cs ssh-key gpg-key attestation copilot
      skill preview`,
    within: {
      api: { options: "-X --method -F -f --field --raw-field --input -H --header --hostname" },
      pr: { subcommands: "create merge checkout comment edit close review ready reopen update-branch" },
      issue: { subcommands: "create comment edit close delete transfer" },
      release: { subcommands: "create upload download delete edit" },
      gist: { subcommands: "create edit delete clone" },
      repo: { subcommands: "create delete edit clone fork sync archive rename" },
      run: { subcommands: "download rerun cancel delete" },
      workflow: { subcommands: "run enable disable" },
    },
  },
];
