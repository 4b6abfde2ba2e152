# Sourced while building: $ca, the certificates to trust (the system's and those of docker/extra-ca.crt), and fetch_with_apt.
ca=/etc/ssl/certs/ca-certificates.crt
extra=/build/extra-ca.crt
if [ -e "$extra" ]; then
  [ ! -e "$ca" ] || cat "$ca" >/tmp/trusted.crt
  cat "$extra" >>/tmp/trusted.crt
  ca=/tmp/trusted.crt
fi

# fetch_with_apt COMMAND ARGUMENT…
fetch_with_apt() {
  apt-get update -qq -o "Acquire::https::CaInfo=$ca"
  DEBIAN_FRONTEND=noninteractive apt-get "$@" -qq -o "Acquire::https::CaInfo=$ca" -o APT::Sandbox::User=root
  rm -rf /var/lib/apt/lists/* /var/cache/apt/archives/*.deb
}

# A Java's trust store with the same certificates: those that the system does not have are put into a copy of its own.
java_trust() {
  local home split=/tmp/split system=/etc/ssl/certs/ca-certificates.crt
  home=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')
  cp -L "$home/lib/security/cacerts" /tmp/trusted.jks
  chmod u+w /tmp/trusted.jks
  [ -e "$extra" ] || return 0
  mkdir -p "$split"
  # One line a certificate, which makes two of them comparable.
  one_a_line() { awk '/BEGIN CERT/ {on = 1; next} /END CERT/ {print body; body = ""; on = 0} on {gsub(/[ \r]/, ""); body = body $0}' "$1"; }
  one_a_line "$extra" | sort -u | comm -23 - <(one_a_line "$system" | sort -u) | split -l 1 - "$split/"
  local file
  for file in "$split"/*; do
    [ -e "$file" ] || continue
    { echo '-----BEGIN CERTIFICATE-----' && fold -w 64 "$file" && echo '-----END CERTIFICATE-----'; } >"$file.pem"
    keytool -importcert -noprompt -alias "extra-${file##*/}" -file "$file.pem" -keystore /tmp/trusted.jks -storepass changeit 2>/dev/null
  done
}
