// Reboot, shutdown and the end of the pairing: each after a confirmation that names the unit (GAP-STRM-08).
import { unitPairing } from '@backhaul/contract/api/unit-pairing'
import { unitCommands } from '@backhaul/contract/api/units'
import { type PowerAct, powerActs, powerRefusal } from '@backhaul/contract/nouns/unit-refusals'
import type { Unit } from '@backhaul/contract/nouns/units'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { useClosed } from '../../people/groups/groups.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import styles from './unit-settings.module.css'

export function PowerPart({ unit }: { unit: Unit }) {
  const { t } = useTranslation('unitSettings')
  const [act, setAct] = useState<PowerAct>()
  const mayPower = useMay('powerUnits')
  const closed = useClosed('reboot')
  const { name } = unit

  function whyClosed(one: PowerAct): string | undefined {
    if (!mayPower) return reasonText('role.notAllowed')
    const refusal = powerRefusal(unit, one, true)
    return closed ?? (refusal && reasonText(refusal))
  }
  return (
    <fieldset className={styles.settingPart}>
      <legend>{t('power.title')}</legend>
      <div className={styles.settingActs}>
        {powerActs.map((one) => {
          const reason = whyClosed(one)
          return (
            <span key={one} data-tip={reason}>
              <Button
                variant="light"
                color="red"
                disabled={reason !== undefined}
                aria-description={reason}
                onClick={() => setAct(one)}
              >
                {t(`power.${one}.label`)}
              </Button>
            </span>
          )
        })}
      </div>
      {act ? (
        <ConfirmDialog
          title={t(`power.${act}.title`, { name })}
          text={t(`power.${act}.text`)}
          okLabel={t(`power.${act}.label`)}
          second={
            act === 'reboot' && unit.busy
              ? { text: t('power.busy', { name }), okLabel: t('power.anyway') }
              : undefined
          }
          run={() => perform(unit, act)}
          done={{ title: t(`power.${act}.done`), text: name }}
          onClose={() => setAct(undefined)}
        />
      ) : null}
    </fieldset>
  )
}

/** Throws core's refusal. The work of the unit is interrupted only where that was confirmed. */
async function perform({ uid, busy: whileBusy }: Unit, act: PowerAct): Promise<undefined> {
  const params = { id: uid }
  if (act === 'removePairing') await call(unitPairing.remove, { params })
  else if (act === 'shutdown') await call(unitCommands.shutdown, { params })
  else
    await call(unitCommands.command, {
      params: { ...params, command: act },
      body: { whileBusy },
    })
}
