import { unitNetworks } from '@backhaul/contract/api/unit-networks'
import { because } from '@backhaul/contract/define/refusals'
import type { ModemConfiguration, SimSlot } from '@backhaul/contract/nouns/unit-networks'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useAct } from '../../kit/act.ts'
import { reasonText } from '../../texts/generic.ts'
import { ActButton } from './ActButton.tsx'
import styles from './unit-networks.module.css'
import { type NetworksProps, useClosedNetworks } from './unit-networks.ts'

const slots = ['A', 'B'] as const

/** The SIM in use, in this modem or in all. */
export function SimPart({ unit, modem, onChanged }: NetworksProps & { modem: ModemConfiguration }) {
  const { t } = useTranslation('unitNetworks')
  const closed = useClosedNetworks(unit)
  const act = useAct()
  const { port, activeSim } = modem
  const use = (sim: SimSlot, isForAll: boolean) =>
    void act.run(async () => {
      const body = isForAll ? { all: true as const, sim } : { port, sim }
      await call(unitNetworks.setActiveSim, { params: { id: unit.uid }, body })
      await onChanged()
      return undefined
    })
  function whyClosed(sim: SimSlot): string | undefined {
    if (closed !== undefined) return closed
    if ((sim === 'A' ? modem.simA : modem.simB) === null) return reasonText(because('modem.noSim', { sim }))
    return activeSim === sim ? t('sim.inUse') : undefined
  }
  return (
    <fieldset className={styles.networkPart}>
      <legend>{activeSim === null ? t('sim.title') : t('sim.active', { sim: activeSim })}</legend>
      <div className={styles.networkActs}>
        {slots.map((sim) => (
          <ActButton
            key={sim}
            label={t('sim.use', { sim })}
            closed={whyClosed(sim)}
            busy={act.busy}
            onPress={() => use(sim, false)}
          />
        ))}
        {slots.map((sim) => (
          <ActButton
            key={sim}
            label={t('sim.useAll', { sim })}
            closed={closed}
            busy={act.busy}
            onPress={() => use(sim, true)}
          />
        ))}
      </div>
      {act.words ? <p className="text-critical">{act.words}</p> : null}
    </fieldset>
  )
}
