export function ids(url) { // const nextId = ids(URL); console.log(await nextId())
  let kept = [], filling
  const fill = async () => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5000) }), text = await answer.text()
    if (!answer.ok) throw new Error(text)
    kept.push(...text.trimEnd().split('\n'))
  }
  const filled = () => filling ??= fill().finally(() => { filling = undefined })
  return async () => {
    while (kept.length === 0) await filled()
    if (kept.length <= 100) filled().catch(() => {}) // A later call tries again.
    return kept.shift()
  }
}
