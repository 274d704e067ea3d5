// A provider at an address: it is sent the server's measurements every ten seconds, and answers with its marks.
import { because, english } from '@backhaul/contract/define/refusals'
import { AiAnswer, AiMark, type AiObservation, AiQuestion } from '@backhaul/contract/nouns/ai'
import type { SendOutward } from '../../doors/outward-request.ts'

interface Place {
  endpoint: string
  model: string
  secret: string
  session: string
  unit: string
}

const secondsAtOnce = 10
/** Codes are core's own. */
const ProviderMark = AiMark.omit({ cause: true })

/** Takes one second after the other. A provider that does not answer is marked as a fault, once until it answers again. */
export function createHttpProvider(
  sendOutward: SendOutward,
  { endpoint, secret, ...about }: Place,
  onMarks: (marks: AiMark[]) => void,
): (observation: AiObservation) => void {
  let waiting: AiObservation[] = []
  let isRequesting = false
  let isFailing = false

  async function request(observations: AiObservation[]): Promise<AiMark[]> {
    const answer = await sendOutward(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(secret !== '' && { authorization: `Bearer ${secret}` }),
      },
      body: JSON.stringify(AiQuestion.parse({ ...about, observations })),
    })
    const { marks } = AiAnswer.parse(JSON.parse(answer))
    return marks.flatMap((mark) => ProviderMark.safeParse(mark).data ?? [])
  }

  async function requestMarks(): Promise<void> {
    const observations = waiting
    waiting = []
    isRequesting = true
    try {
      onMarks(await request(observations))
      isFailing = false
    } catch (error) {
      const ts = observations.at(-1)?.ts ?? ''
      // Its full stop would be inside the sentence.
      const words = (error as Error).message.slice(0, 400).replace(/\.$/, '')
      const cause = because('ai.providerFailed', { error: words })
      if (!isFailing) onMarks([{ ts, kind: 'fault', text: english(cause), cause }])
      isFailing = true
    }
    isRequesting = false
  }

  return (observation) => {
    waiting.push(observation)
    if (waiting.length >= secondsAtOnce && !isRequesting) void requestMarks()
  }
}
