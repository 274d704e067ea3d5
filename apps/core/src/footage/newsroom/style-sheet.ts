// Applies a mapping file (XSLT 1.0) to XML of a newsroom. Both are written by others: each run has a thread of its own that
// reaches neither files nor the network, and that ends when it takes too long or needs too much memory.
import { Worker } from 'node:worker_threads'
import { because } from '@backhaul/contract/define/refusals'
import { limitedTo } from '../../world/turns.ts'
import { NewsroomFailure } from './newsroom-failure.ts'
import type { StyleSheetAnswer, StyleSheetWork } from './style-sheet-worker.ts'

export type ApplyStyleSheet = (work: StyleSheetWork) => Promise<string>

const secondsAtMost = 5
/** Each takes a core of the machine. */
const atOnce = 2

/** The result is serialised as XML. @throws NewsroomFailure */
export function createStyleSheets(): { apply: ApplyStyleSheet; stop(): void } {
  const running = new Set<Worker>()
  const inTurn = limitedTo(atOnce)
  let isStopped = false

  function run(work: StyleSheetWork): Promise<string> {
    if (isStopped) return Promise.reject(new NewsroomFailure('newsroom.failed'))
    const worker = new Worker(new URL('./style-sheet-worker.ts', import.meta.url), {
      workerData: work,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    })
    running.add(worker)
    return new Promise<string>((resolve, reject) => {
      const failed = (error: string) =>
        reject(new NewsroomFailure(because('newsroom.mappingFailed', { error: error.slice(0, 255) })))
      const timer = setTimeout(() => {
        reject(new NewsroomFailure(because('newsroom.tooLong', { seconds: secondsAtMost })))
        void worker.terminate()
      }, secondsAtMost * 1000)
      worker.on('message', (answer: StyleSheetAnswer) => {
        if ('result' in answer) resolve(answer.result)
        else if (answer.isSource)
          reject(
            new NewsroomFailure(because('newsroom.notWellFormed', { error: answer.error.slice(0, 255) })),
          )
        else failed(answer.error)
      })
      worker.on('error', (error) => failed((error as Error).message))
      worker.on('exit', (code) => {
        clearTimeout(timer)
        running.delete(worker)
        // A no-op after an answer.
        failed(`the processor ended with code ${code}`)
      })
    })
  }

  return {
    apply: (work) => inTurn(() => run(work)),
    stop() {
      isStopped = true
      for (const worker of running) void worker.terminate()
    },
  }
}
