import { isRiskyAwk, isRiskySed } from "./embedded-text.ts";
import type { ProgramOptions } from "./program-options.ts";

/** Programs that search, change and show text. */
export const textTools: readonly ProgramOptions[] = [
  {
    names: "rg",
    options: "--pre --hostname-bin",
    valued: "ABCEMTdefgjmrt",
    harmless: "--pretty --pre-glob -p",
  },
  { names: "ag ack pt", options: "--pager -p --path-to-ignore --ackrc --env" },
  { names: "fd fdfind", options: "-x --exec -X --exec-batch", valued: "dtEegSjoc" },
  {
    names: "fzf sk",
    options: "--bind --preview --listen --listen-unsafe --history --with-shell --become --execute -c --cmd --tmux",
  },
  { names: "sort", options: "-o --output --compress-program -T --temporary-directory", valued: "koStT" },
  { names: "shuf", options: "-o --output", valued: "ino" },
  { names: "uniq", valued: "fsw", harmless: "-c -d -D -i -u -z", inputs: 1 },
  { names: "xxd", options: "-r", valued: "cglos", inputs: 1 },
  {
    names: "split csplit",
    options: "--filter --additional-suffix -f --prefix -b --suffix-format",
    valued: "aClnt",
  },
  {
    names: "sed",
    options: "-i -I --in-place -f --file",
    valued: "eflI",
    harmless: "-n -E -r -s -u -z --quiet --silent --regexp-extended --posix --null-data",
    text: { options: "-e --expression", isRisky: isRiskySed },
  },
  {
    names: "awk gawk mawk nawk",
    options: `
      -f --file -E --exec -i --include -l --load -o --pretty-print -p --profile -d --dump-variables -D --debug -W`,
    valued: "FvfEildopDW",
    text: { options: "-e --source", isRisky: isRiskyAwk },
  },
  { names: "tree", options: "-o -R", valued: "LPIHT" },
  { names: "yq dasel", options: "-i --in-place --inplace -s --split-exp --split-exp-file" },
  { names: "xmllint xsltproc", options: "-o --output --shell --writesubtree --load-trace" },
  {
    names: "less more most",
    options: "-o -O -k -T --log-file --LOG-FILE --lesskey-* --tag-file --cmd",
    operands: /^\+/,
  },
  {
    names: "man",
    options: "-P -H -C -X -Z -T --pager --html --config-file --gxditview --ditroff --troff-device",
  },
  { names: "bat batcat delta", options: "--pager --diff-pager --config-file" },
  {
    names: "w3m lynx links elinks",
    style: "names",
    options: "-o* -config* -cfg* -cmd* -exec* -editor* -dump_output_file -D*",
  },
  {
    names: "vim vi nvim view gvim vimdiff rvim nano pico micro emacs code codium kak helix hx",
    options: `
      -c --cmd -S -s -W -w -u -U -i -V -T -l -o -e -f -L -q -y --startuptime --listen --server --remote-* --headless
      --eval --load --script --batch --funcall --execute --operatingdir --rcfile --speller --install-extension
      --extensions-dir --user-data-dir --folder-uri --file-uri --extensionDevelopmentPath --extensionTestsPath
      --inspect-*`,
    subcommands: "tunnel serve-web ext",
    operands: /^\+/,
  },
  { names: "base64 base32 iconv dos2unix", options: "-o --output -n --newfile" },
  {
    names: "pandoc enscript a2ps pygmentize highlight",
    options: `
      -o --output -p -L --lua-filter -F --filter --template --extract-media --pdf-engine* --defaults -d --data-dir
      -O -I -x -l --filter-command --config-script --plug-in --user-option`,
  },
  {
    names: "tic msgfilter msgexec xgettext ctags cscope cowsay doxygen protoc buf flatc bison flex m4",
    options: `
      -o --output* -P --output-file -f -F --plugin --*_out --descriptor_set_out --options --langdef -S -I --template
      --filter-terminator --_xformat`,
    operands: /^@/,
  },
  { names: "sdiff diff3", options: "-o --output --diff-program" },
  { names: "file", options: "-C --compile -m --magic-file" },
  { names: "dc ed ex red", operands: /^/, scriptFromInput: "--version --help" },
];
