#!/bin/sh
# Makes what compose.yaml needs and no repository has: passwords, and certificates with an authority of their own.
#
#     deploy/make-secrets.sh [NAME…]
#
# NAMEs are host names and IP addresses by which users of other computers reach the hosts; "localhost" is always one.
set -eu

folder=${GAVEL_SECRETS:-$(dirname "$0")/secrets}
if [ -e "$folder" ]; then
  echo "$folder is there already: remove it to make others, with the volume of PostgreSQL, which has the passwords too." >&2
  exit 1
fi
command -v openssl >/dev/null || { echo "There is no openssl; install it." >&2; exit 1; }
# Only you can enter the folder. Its files are readable, as the users in the containers are others than you.
umask 022
mkdir -m 700 "$folder"
cd "$folder"

key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }

request() { openssl req -new -key "$1.key" -subj "/CN=Gavel $1" -out "$1.csr"; }

# The authority, whose key stays here: it is for further certificates.
key authority
request authority
echo "basicConstraints=critical,CA:TRUE
keyUsage=critical,keyCertSign" >extensions
openssl x509 -req -in authority.csr -signkey authority.key -extfile extensions -days 3650 -out authority.pem 2>/dev/null
chmod 600 authority.key

# certificate FILE NAME…
certificate() {
  file=$1
  shift
  names=DNS:localhost,IP:127.0.0.1
  for name; do
    case $name in
      *:* | *[0-9].[0-9]*.[0-9]*) names=$names,IP:$name ;;
      *) names=$names,DNS:$name ;;
    esac
  done
  key "$file"
  request "$file"
  echo "basicConstraints=CA:FALSE
extendedKeyUsage=serverAuth
subjectAltName=$names" >extensions
  openssl x509 -req -in "$file.csr" -CA authority.pem -CAkey authority.key -CAcreateserial -extfile extensions \
    -days 825 -out "$file.pem" 2>/dev/null
}

certificate postgres postgres
certificate nats nats
certificate host "$@"

password() { openssl rand -hex 24; }

password >postgres-password
store=$(password)
hosts=$(password)
workers=$(password)
authority=/run/secrets/authority.pem
echo "$store" >store-password
echo "postgres://hosts:$store@postgres:5432/gavel?sslmode=verify-full&sslrootcert=$authority" >store
echo "tls://hosts:$hosts@nats:4222?ca=$authority" >link
echo "tls://workers:$workers@nats:4222?ca=$authority" >worker-link
echo "HOSTS_PASSWORD: \"$hosts\"
WORKERS_PASSWORD: \"$workers\"" >nats-passwords.conf
rm -f ./*.csr ./*.srl extensions
chmod 644 postgres.key nats.key host.key
echo "The secrets are in $folder. Users of other computers need authority.pem, which is no secret, and a token."
