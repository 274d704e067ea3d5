// Checks whether core can be reached over the present networks of this machine: by a connection of its own, since one that was there
// before a change may neither work nor have been noticed as lost.

const answerWithinMs = 4000

/** Resolves to whether the gateway accepts a new WebSocket. */
export function reachesCore(coreUrl: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(coreUrl)
    const timer = setTimeout(() => end(false), answerWithinMs)
    function end(isReached: boolean): void {
      clearTimeout(timer)
      socket.close()
      resolve(isReached)
    }
    socket.addEventListener('open', () => end(true))
    socket.addEventListener('error', () => end(false))
  })
}
