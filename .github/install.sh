#!/bin/sh
# Installs robolog for this machine from the archives of a release, after checking their checksums.
#
#   ROBOLOG_FROM   address or folder of the archives and SHA256SUMS; the latest release by default
#   ROBOLOG_INTO   folder for the programs; ~/.local/bin by default
set -eu

from=${ROBOLOG_FROM:-https://github.com/robolog/robolog/releases/latest/download}
into=${ROBOLOG_INTO:-$HOME/.local/bin}

fail() {
    echo "robolog: $1" >&2
    exit 1
}

case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-gnu ;;
    Linux-aarch64) target=aarch64-unknown-linux-gnu ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    *) fail "no archive for $(uname -s) on $(uname -m): cargo install robolog builds it" ;;
esac

fetch() {
    case "$from" in
        http://* | https://*) curl --proto '=https' --fail --silent --show-error --location --output "$2" "$from/$1" ;;
        *) cp "$from/$1" "$2" ;;
    esac
}

if command -v sha256sum > /dev/null; then
    check="sha256sum --check --status"
elif command -v shasum > /dev/null; then
    check="shasum -a 256 --check --status"
else
    fail "neither sha256sum nor shasum is installed: the archive cannot be compared with its checksum"
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fetch SHA256SUMS "$folder/SHA256SUMS" || fail "no SHA256SUMS in $from"
line=$(grep "  robolog-[0-9].*-$target\.tar\.gz\$" "$folder/SHA256SUMS") || fail "no archive for $target in $from"
archive=${line#*  }
fetch "$archive" "$folder/$archive" || fail "no $archive in $from"
(cd "$folder" && echo "$line" | $check) || fail "$archive does not have the checksum of SHA256SUMS: nothing is installed"
tar -xzf "$folder/$archive" -C "$folder"
mkdir -p "$into"
name=${archive%.tar.gz}
for program in robolog rerun-importer-robolog; do
    # Replaces an old program atomically.
    cp "$folder/$name/$program" "$into/.$program.new"
    chmod +x "$into/.$program.new"
    mv "$into/.$program.new" "$into/$program"
done
echo "robolog: installed in $into"
