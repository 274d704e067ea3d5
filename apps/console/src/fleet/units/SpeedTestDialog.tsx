// Speed test of a unit's links to its channel: begun, watched second by second, cancelled, read (SC-MODAL-03).
import { SPEED_TEST_S } from '@backhaul/contract/nouns/speed-tests'
import { speedTestRefusal } from '@backhaul/contract/nouns/unit-refusals'
import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAct } from '../../kit/act.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { givenReason, reasonText } from '../../texts/generic.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { useItem } from '../../ui/keyed-store.ts'
import { mbpsText } from '../../ui/locale.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { StaticTable } from '../../ui/StaticTable.tsx'
import { useValue } from '../../ui/value.ts'
import { channelStore } from '../channels/channels.ts'
import { testAsked } from './asked.ts'
import { seriesColour } from './LinkList.tsx'
import styles from './link-list.module.css'
import { channelName, nothing, percentText } from './unit-presentation.ts'
import { type LiveUnit, unitStore } from './units-live.ts'
import { useUnitActions } from './use-unit-actions.ts'

export function SpeedTestDialog() {
  const { t } = useTranslation('units')
  const uid = useValue(testAsked)
  const unit = useItem(unitStore, uid)
  const close = () => testAsked.set(null)
  return (
    <Dialog
      opened={unit !== undefined}
      onClose={close}
      title={t('speedTest.title', { name: unit?.name ?? '' })}
    >
      {unit ? <SpeedTestOf key={unit.uid} unit={unit} onClose={close} /> : null}
    </Dialog>
  )
}

function SpeedTestOf({ unit, onClose }: { unit: LiveUnit; onClose: () => void }) {
  const { t } = useTranslation('units')
  const mayOperate = useMay('operateUnits')
  const channel = useItem(channelStore, unit.channelId)
  const { testSpeed, stopTest } = useUnitActions()
  const control = useAct()
  const test = unit.speedTest
  const isRunning = test?.done === false
  const refusal = isRunning ? undefined : speedTestRefusal(unit, channel)
  const fault = control.words ?? (refusal && reasonText(refusal))
  const act = () => control.run(() => (isRunning ? stopTest(unit.uid) : testSpeed(unit.uid)))
  return (
    <>
      <p>{t('speedTest.text', { seconds: SPEED_TEST_S, channel: channelName(unit) || nothing })}</p>
      {test ? <Figures unit={unit} /> : null}
      <p role="status" className={styles.speedTestState}>
        {isRunning ? t('speedTest.running') : ''}
        {test ? givenReason(test) : ''}
      </p>
      {fault ? <Alert color="red">{fault}</Alert> : null}
      <ModalFooter
        mayWrite={mayOperate}
        busy={control.busy}
        onCancel={onClose}
        hasBegun={test !== null}
        okLabel={t(isRunning ? 'speedTest.stop' : test ? 'speedTest.again' : 'speedTest.start')}
        onOk={refusal === undefined ? () => void act() : undefined}
      />
    </>
  )
}

function Figures({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const links = unit.speedTest?.links ?? []
  if (links.length === 0) return null
  const nameOf = (port: number) => [...unit.modems, ...unit.offlineModems].find((link) => link.port === port)
  const upward = links.reduce((sum, { uplinkKbps }) => sum + uplinkKbps, 0)
  return (
    <StaticTable
      className={`${styles.links} ${styles.speedTest}`}
      label={t('speedTest.figures')}
      columns={[t('speedTest.link'), t('speedTest.uplink'), t('speedTest.downlink'), t('column.loss')]}
      textColumns={1}
      foot={
        <tr>
          <th scope="row">{t('speedTest.all')}</th>
          <td className="figure">{mbpsText(upward)}</td>
          <td />
          <td />
        </tr>
      }
    >
      {links.map(({ port, uplinkKbps, downlinkKbps, lossPercent }) => (
        <tr key={port}>
          <th scope="row">
            <i style={{ background: seriesColour(port) }} />
            {[nameOf(port)?.id ?? port, nameOf(port)?.carrier].filter(Boolean).join(' · ')}
          </th>
          <td className="figure">{mbpsText(uplinkKbps)}</td>
          <td className="figure">{downlinkKbps === null ? nothing : mbpsText(downlinkKbps)}</td>
          <td className="figure">{percentText(lossPercent)}</td>
        </tr>
      ))}
    </StaticTable>
  )
}
