import type { ProgramOptions } from "./program-options.ts";

/** Programs that talk to other machines: what they save, send, load and run. */
export const network: readonly ProgramOptions[] = [
  {
    names: "curl",
    options: `
      -o -O -J -K -T -F -d -D -c -E -x -U -X -u -b -n -Q -w -: --output --output-dir --remote-name --remote-name-all
      --remote-header-name --config --upload-file --form --form-string --data --data-* --json --url-query
      --dump-header --cookie-jar --trace --trace-* --stderr --libcurl --hsts --alt-svc --etag-save --engine --proxy
      --proxy-* --preproxy --socks* --netrc --netrc-file --netrc-optional --request --user --cookie --cert --key
      --quote --postquote --prequote --mail-* --write-out --unix-socket --abstract-unix-socket --resolve
      --connect-to --doh-url --ipfs-gateway --variable --expand-* --next --create-dirs --ftp-create-dirs
      --ssl-sessions --aws-sigv4`,
    valued: "AmeHrtYyzCPhoKTFdDcExUXubQw",
    harmless: `
      -s -S -f -L -i -I -k -v -g --silent --show-error --fail --fail-with-body --location --include --head
      --insecure --verbose --compressed --progress-bar --no-progress-meter --http1.1 --http2 --http3 --ipv4 --ipv6`,
    operands: /^(?:file|dict|gopher|smtps?|ldaps?|telnet|scp|sftp|smbs?|tftp|imaps?|pop3s?|mqtt|rtsp|wss?):/i,
  },
  {
    names: "wget wget2",
    options: `
      -O -o -a -P -i -e -B -r -m -p -x --output-document --output-file --append-output --directory-prefix
      --input-file --execute --config --use-askpass --post-data --post-file --body-data --body-file --method
      --save-cookies --load-cookies --warc-* --hsts-file --recursive --mirror --page-requisites --rejected-log
      --default-page --force-directories --ca-certificate --certificate --private-key --egd-file --input-metalink
      --user --password --ask-password --http-* --ftp-* --header --base --backups --plugin*`,
    valued: "aBDeIiGlOoPQRTtUwXA",
    harmless: "-q -v -S -c --quiet --no-verbose --spider --continue --server-response --no-check-certificate",
  },
  {
    names: "ssh autossh mosh",
    options: "-o -F -E -L -R -D -w -W -J -S -I -i -O -M -A -X -Y -e -P --ssh --server --client",
    valued: "BbceFIiJLlmOopQRSWwDEP",
    harmless: "-4 -6 -q -v -T -t -N -n",
    subcommands: "*",
    runs: 2,
    joins: true,
  },
  { names: "scp sftp", options: "-o -F -S -D -b -J -i -s -X", valued: "cDFiJloPSXbBR", operands: /:/ },
  {
    names: "rsync",
    options: `
      -e -T -M -f --rsh --rsync-path --remote-option --daemon --config --dparam --log-file --password-file
      --temp-dir --partial-dir --backup-dir --files-from --write-batch --only-write-batch --read-batch
      --compare-dest --copy-dest --link-dest --filter --sockopts --remove-source-files --delete --delete-* --del
      --early-input --copy-as --server`,
    valued: "efTMB",
    operands: /^[^/]*:/,
  },
  {
    names: "nc ncat netcat",
    options: "-e -c -o -x -l -L --exec --sh-exec --lua-exec --output --hex-dump --append-output",
  },
  {
    names: "socat",
    style: "both",
    operands: /exec|system|open|creat|shell|file|pipe/i,
    options: "-r -R -lf",
  },
  { names: "ftp lftp tftp smbclient telnet", options: "-c -e -f -o -s -v -N" },
  {
    names: "openvpn",
    options: "--config --up --down --script-security --plugin --*-verify --*-connect --*-up --*-down --log*",
  },
  {
    names: "nmap",
    style: "names",
    options: "-oN* -oG* -oX* -oA* -oS* -iL* -script* -datadir -resume -stylesheet -interactive",
  },
  {
    names: "tcpdump tshark dumpcap",
    options: "-w -z -F -G -W -r -V -X -b --postrotate-command --extcap*",
    valued: "BcCEiMsTyZ",
  },
  {
    names: "mail mailx mutt sendmail msmtp",
    options: "-A -S -X -O -C -F -q -E -f -a -i --exec --attach --config --file",
  },
  {
    names: "openssl",
    style: "names",
    options: `
      -out -engine -provider -provider-path -config -keyout -writerand -CAcreateserial -CAserial -proxy -connect
      -outdir -sess_out -keylogfile -pass* -module -export_out`,
    subcommands: "s_server ocsp engine ca",
  },
  {
    names: "aws",
    options: "--endpoint-url --cli-input-json --cli-input-yaml --ca-bundle --profile --body",
    subcommands: "configure s3 s3api ssm lambda secretsmanager",
    operands: /^(?:file|fileb|https?):/,
  },
  {
    names: "gcloud gsutil az doctl heroku flyctl vercel netlify wrangler firebase",
    options: `
      --flags-file --configuration --impersonate-service-account --access-token-file --output-file --config
      --key-file`,
    subcommands: `
      config auth ssh scp compute cp rsync mv rm rest run exec deploy functions login secret secrets env extension
      dev publish`,
    operands: /^@/,
  },
  {
    names: "http https xh",
    options: `
      -o --output -d --download --session --session-read-only --proxy --cert --cert-key -f --form --multipart --raw
      -a --auth`,
    operands: /[=@]|^(?:POST|PUT|PATCH|DELETE)$/,
  },
  {
    names: "psql mysql mariadb mongosh mongo redis-cli",
    options: `
      -c -f -o -L -e --command --file --output --log-file --execute --eval --init-command --tee --pager --plugin-dir
      --default-auth --defaults-file --defaults-extra-file --shell --rdb --pipe --ldb --functions-rdb`,
  },
  {
    names: "sqlite3 sqlite duckdb",
    style: "names",
    options: "-cmd -c -init -batch -unsigned -s -f",
    operands: /^\s*\.|load_extension|writefile|edit\(|attach|copy|install|load/i,
  },
  {
    names: "ffmpeg ffprobe",
    style: "names",
    options: "-report -dump_attachment* -vstats_file -passlogfile -protocol_whitelist -filter* -af -vf -lavfi -f",
  },
  {
    names: "convert magick mogrify identify gs ghostscript exiftool",
    style: "names",
    options: `
      -write -path -config -define -set -script -sOutputFile* -o* -if* -p -@ -w* -tagsFromFile -execute -delegate*
      -authenticate`,
    operands: /^(?:msl|ephemeral|label|text|https?|mvg|pango|vid|caption):|@|^\|/,
  },
  {
    names: "chrome chromium google-chrome firefox",
    style: "names",
    options: `
      -gpu-launcher -utility-cmd-prefix -renderer-cmd-prefix -*-path -remote-* -load-extension -profile -screenshot
      -print-to-pdf -no-sandbox`,
  },
  { names: "ssh-keygen ssh-add ssh-agent ssh-copy-id sshfs", options: "-D -f -s -e -o -i -t -a -w -P" },
  {
    names: "yt-dlp youtube-dl",
    options: `
      -o -P -a --output --paths --exec --exec-before-download --config-location --config-locations --netrc-cmd
      --plugin-dirs --downloader --external-downloader --downloader-args --ffmpeg-location --cookies --print-to-file
      --cache-dir --postprocessor-args --use-postprocessor --batch-file --load-info-json --alias`,
  },
];
