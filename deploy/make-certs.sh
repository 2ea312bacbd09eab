#!/bin/sh
# Makes certificates for a fleet: an authority, a server, robots and people.
#
#   deploy/make-certs.sh FOLDER NAME                        a robot or a person called NAME
#   deploy/make-certs.sh FOLDER NAME --server HOST...       a server that is reached as HOST (names or addresses)
#
# The first call makes the authority as well: FOLDER/ca.crt, and FOLDER/ca.key, which belongs on no robot. Each call
# writes FOLDER/NAME.crt and FOLDER/NAME.key. NAME is the common name: a robot may send only under it.
set -eu

fail() { echo "make-certs.sh: $*" >&2; exit 2; }

[ $# -ge 2 ] || fail "usage: make-certs.sh FOLDER NAME [--server HOST...]"
folder=$1
name=$2
shift 2
case $name in
  '' | ca | *[!A-Za-z0-9._-]*) fail "\"$name\" is no name: letters, digits, dot, dash and underscore, and not \"ca\"" ;;
esac
[ ${#name} -le 64 ] || fail "the name has more than 64 characters"

hosts=
usage=clientAuth
if [ $# -gt 0 ]; then
  [ "$1" = --server ] && [ $# -ge 2 ] || fail "usage: make-certs.sh FOLDER NAME [--server HOST...]"
  shift
  usage=serverAuth
  for host; do
    case $host in
      *:*) kind=IP ;;
      *[!0-9.]*) kind=DNS ;;
      *) kind=IP ;;
    esac
    hosts="$hosts${hosts:+,}$kind:$host"
  done
fi

days=${TACHO_CERTIFICATE_DAYS:-825}
mkdir -p "$folder"
umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ ! -e "$folder/ca.key" ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj "/CN=tachograph authority" \
    -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign,cRLSign" \
    -keyout "$folder/ca.key" -out "$folder/ca.crt" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
  chmod 644 "$folder/ca.crt"
fi

{
  echo "basicConstraints=CA:FALSE"
  echo "keyUsage=critical,digitalSignature"
  echo "extendedKeyUsage=$usage"
  if [ -n "$hosts" ]; then echo "subjectAltName=$hosts"; fi
} >"$work/extensions"
openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$name" \
  -keyout "$folder/$name.key" -out "$work/request" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
openssl x509 -req -in "$work/request" -CA "$folder/ca.crt" -CAkey "$folder/ca.key" -set_serial "0x$(openssl rand -hex 16)" \
  -days "$days" -extfile "$work/extensions" -out "$folder/$name.crt" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
chmod 644 "$folder/$name.crt"
echo "$folder/$name.crt and .key: ${hosts:-client} until $(openssl x509 -in "$folder/$name.crt" -noout -enddate | cut -d= -f2)"
