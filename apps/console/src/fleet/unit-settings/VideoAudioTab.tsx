import {
  audioBitratesKbps,
  audioChannelCounts,
  colorDepths,
  mostAudioChannels,
  safCodecs,
  safQualities,
  sendModes,
  shootingModes,
  videoComplexities,
} from '@backhaul/contract/nouns/unit-settings'
import type { Unit } from '@backhaul/contract/nouns/units'
import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { Choice, type SettingForm, Toggle } from './setting-fields.tsx'
import styles from './unit-settings.module.css'

export function VideoAudioTab({ form, camera }: { form: SettingForm; camera: Unit['camera'] }) {
  const { t } = useTranslation('unitSettings')
  const most = mostAudioChannels(camera)
  const fewer = camera?.audioChannels ? t('hint.audioChannelsOfSource', { most }) : t('hint.audioChannels')
  return (
    <>
      <div className={styles.settingPair}>
        <Choice
          form={form}
          name="videoComplexity"
          choices={videoComplexities.map((value) => ({ value, label: t(`complexity.${value}`) }))}
        />
        <Choice
          form={form}
          name="colorDepth"
          choices={colorDepths.map((value) => ({ value, label: value }))}
        />
        <Choice
          form={form}
          name="shootingMode"
          choices={shootingModes.map((value) => ({ value, label: t(`shooting.${value}`) }))}
        />
      </div>
      <Toggle form={form} name="adaptiveResolution" hint={t('hint.adaptiveResolution')} />
      <div className={styles.settingPair}>
        <Choice
          form={form}
          name="audioChannels"
          hint={most < Math.max(...audioChannelCounts) ? fewer : undefined}
          choices={audioChannelCounts.map((value) => ({
            value,
            label: String(value),
            disabled: value > most,
          }))}
        />
        <Choice
          form={form}
          name="audioBitrate"
          hint={t('hint.audioBitrate')}
          choices={audioBitratesKbps.map((value) => ({ value, label: `${value} kbps` }))}
        />
      </div>
      <StoreAndForward form={form} />
    </>
  )
}

function StoreAndForward({ form }: { form: SettingForm }) {
  const { t } = useTranslation('unitSettings')
  const quality = form.settings.storeAndForwardQuality
  if (!quality) return null
  return (
    <fieldset className={styles.settingPart}>
      <legend>{t('storeAndForward')}</legend>
      <div className={styles.settingPair}>
        <Choice
          form={form}
          name="sendMode"
          choices={sendModes.map((value) => ({ value, label: t(`sendModes.${value}`) }))}
        />
        <Choice
          form={form}
          name="storeAndForwardEncoder"
          choices={safCodecs.map((value) => ({ value, label: value }))}
        />
        {safCodecs.map((codec) => (
          <NativeSelect
            key={codec}
            label={t('qualityOf', { codec })}
            {...disabledBecause(form.whyClosed('storeAndForwardQuality'))}
            data={safQualities.map((value) => ({ value, label: t(`quality.${value}`) }))}
            value={quality[codec]}
            onChange={({ currentTarget }) => {
              const chosen = safQualities.find((one) => one === currentTarget.value)
              if (chosen) form.set({ storeAndForwardQuality: { ...quality, [codec]: chosen } })
            }}
          />
        ))}
      </div>
    </fieldset>
  )
}
