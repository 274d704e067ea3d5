import { english, type Reason } from '@backhaul/contract/define/refusals'

/** Why stories of a newsroom cannot be read. */
export class NewsroomFailure extends Error {
  readonly reason: Reason
  constructor(reason: Reason) {
    super(english(reason))
    this.reason = reason
  }
}
