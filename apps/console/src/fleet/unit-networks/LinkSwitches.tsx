// The links that the unit uses: each with a switch, and a question before fewer than two are left (VA-UNIT-15, -16, GAP-CONF-04).
import { unitCommands } from '@backhaul/contract/api/units'
import type { ModemStatus } from '@backhaul/contract/nouns/modems'
import { linksLeft } from '@backhaul/contract/nouns/unit-networks'
import { isStreaming } from '@backhaul/contract/nouns/unit-status'
import type { Unit } from '@backhaul/contract/nouns/units'
import { Switch } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useAct } from '../../kit/act.ts'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { RequestState } from './RequestState.tsx'
import styles from './unit-networks.module.css'
import { linksOf, type NetworksProps } from './unit-networks.ts'

export function LinkSwitches({ unit, onChanged }: NetworksProps) {
  const { t } = useTranslation('unitNetworks')
  const [asked, setAsked] = useState<ModemStatus>()
  const mayOperate = useMay('operateUnits')
  const act = useAct()

  async function set(link: ModemStatus, enabled: boolean): Promise<undefined> {
    await call(unitCommands.setLinks, {
      params: { id: unit.uid },
      body: [{ interface: link.port, enabled }],
    })
    await onChanged()
  }
  function change(link: ModemStatus): void {
    if (link.enabled && linksLeft(unit.modems, [link.port])) setAsked(link)
    else void act.run(() => set(link, !link.enabled))
  }
  return (
    <fieldset className={styles.networkPart}>
      <legend>{t('links.title')}</legend>
      <p className="quiet">{t('links.hint')}</p>
      <div className={styles.networkFields}>
        {linksOf(unit).map((link) => (
          <Switch
            key={link.port}
            label={[link.id, link.carrier].filter(Boolean).join(' · ')}
            description={link.enabled ? (link.connected ? t('links.up') : t('links.down')) : t('links.off')}
            {...disabledBecause(mayOperate ? closedLink(unit, link) : reasonText('role.notAllowed'))}
            checked={link.enabled}
            onChange={() => change(link)}
          />
        ))}
      </div>
      {act.words ? <p className="text-critical">{act.words}</p> : null}
      {unit.command?.name === 'set_enabled_links' ? <RequestState unit={unit} /> : null}
      {asked ? (
        <ConfirmDialog
          title={t('links.ask', { link: asked.id })}
          text={t(`left.${linksLeft(unit.modems, [asked.port]) ?? 'few'}`, { name: unit.name })}
          okLabel={t('links.disable')}
          run={() => set(asked, false)}
          done={{ title: t('requested'), text: unit.name }}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
    </fieldset>
  )
}

/** While the unit transmits, two links remain. */
function closedLink(unit: Unit, { port, enabled }: ModemStatus): string | undefined {
  const transmits = unit.transmission !== null || isStreaming(unit)
  if (!enabled || !transmits || linksLeft(unit.modems, [port]) === undefined) return undefined
  return reasonText('link.twoMustStay')
}
