// The English of all reasons.
import { refusals as ofContract } from '@backhaul/contract/define/refusals/all'

export const refusals = {
  ...ofContract,
  // The console does not call products of other makers by their names.
  'upgrade.h264': 'Upgrade not supported for this H264 unit.',
}
