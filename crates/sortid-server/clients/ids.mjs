export async function* ids(url) {
  const fetched = async () => {
    const answer = await fetch(`${url}?n=1000`, { signal: AbortSignal.timeout(5000) })
    if (!answer.ok) throw new Error((await answer.json()).detail)
    return (await answer.text()).trimEnd().split('\n')
  }
  for (let following = fetched(); ;) {
    const batch = await following
    following = fetched()
    following.catch(() => {}) // The next turn throws it.
    yield* batch
  }
}
