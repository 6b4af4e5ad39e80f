# next_id URL: prints an ID. The current folder has a file of IDs for each URL. Needs `flock` of util-linux.
next_id() (
  file=ids-$(printf %s "$1" | tr / _)
  flock 9 && touch "$file" || exit
  if [ "$(wc -l < "$file")" -lt 100 ]; then
    { cat "$file"; curl -fsS --max-time 5 "$1"; } > "$file.new" && mv "$file.new" "$file"
  fi
  id=$(head -n 1 "$file")
  [ "$id" ] && sed 1d "$file" > "$file.new" && mv "$file.new" "$file" && printf '%s\n' "$id"
) 9> ids.lock
