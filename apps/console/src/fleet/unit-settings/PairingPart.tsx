// The unit's own pairing code, with which its machine registers (GAP-CONF-14).
import { unitPairing } from '@backhaul/contract/api/unit-pairing'
import { PairingCodeMode, type UnitPairing } from '@backhaul/contract/nouns/unit-pairing'
import { Alert, Button, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { keepAnswer, useRead } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import styles from './unit-settings.module.css'

/** The pairing code, shown only to users who may use it. */
export function PairingPart({ uid }: { uid: string }) {
  const mayOperate = useMay('operateUnits')
  return mayOperate ? <PairingCode uid={uid} /> : null
}

function PairingCode({ uid }: { uid: string }) {
  const { t } = useTranslation('unitSettings')
  const about = { params: { id: uid } }
  const { data, errorText } = useRead(unitPairing.code, about)
  const act = useAct()
  const change = (send: () => Promise<UnitPairing>) =>
    void act.run(async () => {
      await keepAnswer(unitPairing.code, about, await send())
      return undefined
    })
  const words = act.words ?? errorText
  return (
    <fieldset className={styles.settingPart}>
      <legend>{t('pairing.title')}</legend>
      {words ? <Alert color="red">{words}</Alert> : null}
      {data ? (
        <>
          <div className={styles.settingPair}>
            <NativeSelect
              label={t('pairing.mode')}
              disabled={act.busy}
              data={PairingCodeMode.options.map((mode) => ({
                value: mode,
                label: t(`pairing.modes.${mode}`),
              }))}
              value={data.mode}
              onChange={({ currentTarget }) => {
                const mode = PairingCodeMode.parse(currentTarget.value)
                change(() => call(unitPairing.setMode, { ...about, body: { mode } }))
              }}
            />
          </div>
          <p className="quiet">{t('pairing.hint')}</p>
          {data.mode === 'off' ? null : (
            <div className={styles.settingActs}>
              <strong className="mono" data-unit-code>
                {data.code ?? t('pairing.used')}
              </strong>
              {data.code === null ? null : <CopyButton text={data.code} />}
              <Button
                variant="default"
                loading={act.busy}
                onClick={() => change(() => call(unitPairing.renew, about))}
              >
                {t('pairing.renew')}
              </Button>
            </div>
          )}
        </>
      ) : null}
    </fieldset>
  )
}
