import { AlertSettingName, type UserPreferences } from '@backhaul/contract/nouns/preferences'
import { Checkbox, NativeSelect, NumberInput, SegmentedControl, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../doors/forms.ts'
import { preferences, setPreferences } from '../session/preferences/preferences.ts'
import { useSignedIn } from '../session/sign-ins/sign-ins.ts'
import { languageNow } from '../texts/texts.ts'
import { countries } from '../ui/countries.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogForm } from '../ui/DialogForm.tsx'
import { LanguageChoice } from '../ui/LanguageChoice.tsx'

type Draft = Pick<
  UserPreferences,
  | 'unitAlertsSettings'
  | 'unitAlertsSoundSettings'
  | 'theme'
  | 'luSmartCountry'
  | 'zendeskChatHidden'
  | 'language'
  | 'mapData'
  | 'characterKeys'
>

function draftNow(): Draft {
  const {
    unitAlertsSettings,
    unitAlertsSoundSettings,
    theme,
    luSmartCountry,
    zendeskChatHidden,
    mapData,
    characterKeys,
  } = preferences.get()
  return {
    unitAlertsSettings,
    unitAlertsSoundSettings,
    theme,
    luSmartCountry,
    zendeskChatHidden,
    mapData,
    language: languageNow(),
    characterKeys,
  }
}

export function PreferencesDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('preferences.title')}>
      <PreferencesForm onClose={onClose} />
    </Dialog>
  )
}

/** A user's own settings: all users may change these, regardless of their role. */
function PreferencesForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const record = useRecordForm<Draft>({
    start: draftNow,
    async save(draft) {
      setPreferences(draft)
      return undefined
    },
  })
  const { values: draft, set } = record
  const hasChat = Boolean(useSignedIn()?.configuration.chatConfiguration)

  return (
    <DialogForm
      mayWrite
      anyRole
      busy={record.busy}
      onCancel={onClose}
      onApply={() => void record.save()}
      onOk={() => void record.save().then(onClose)}
    >
      <fieldset className="form-group">
        <legend>{t('preferences.theme')}</legend>
        <SegmentedControl
          size="xs"
          value={draft.theme}
          onChange={(theme) => set({ theme: theme as Draft['theme'] })}
          data={[
            { value: 'dark', label: t('preferences.dark') },
            { value: 'light', label: t('preferences.light') },
            { value: 'system', label: t('preferences.system') },
          ]}
        />
        <LanguageChoice
          label={t('preferences.language')}
          value={draft.language ?? languageNow()}
          onChange={(language) => set({ language })}
        />
      </fieldset>
      <AlertChoices draft={draft} onChange={set} />
      <MapStart map={draft.mapData} onMap={(mapData) => set({ mapData })} />
      <fieldset className="form-group">
        <legend>{t('preferences.more')}</legend>
        <NativeSelect
          label={t('preferences.country')}
          value={draft.luSmartCountry}
          onChange={(event) => set({ luSmartCountry: event.currentTarget.value })}
          data={[...countries()]}
        />
        <Checkbox
          label={t('preferences.characterKeys')}
          description={t('preferences.characterKeysHint')}
          checked={draft.characterKeys}
          onChange={(event) => set({ characterKeys: event.currentTarget.checked })}
        />
        {hasChat ? (
          <Checkbox
            label={t('preferences.chatHidden')}
            checked={draft.zendeskChatHidden}
            onChange={(event) => set({ zendeskChatHidden: event.currentTarget.checked })}
          />
        ) : null}
      </fieldset>
    </DialogForm>
  )
}

interface AlertChoicesProps {
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
}

/** Alerts with a sound, and shown messages. */
function AlertChoices({ draft, onChange }: AlertChoicesProps) {
  const { t } = useTranslation()
  const { unitAlertsSoundSettings: sounds, unitAlertsSettings: messages } = draft
  return (
    <>
      <fieldset className="form-group">
        <legend>{t('preferences.sounds')}</legend>
        {(['critical', 'warning'] as const).map((severity) => (
          <Switch
            key={severity}
            label={t(`preferences.${severity}`)}
            checked={sounds[severity]}
            onChange={(event) =>
              onChange({ unitAlertsSoundSettings: { ...sounds, [severity]: event.currentTarget.checked } })
            }
          />
        ))}
      </fieldset>
      <fieldset className="form-group">
        <legend>{t('preferences.messages')}</legend>
        {AlertSettingName.options.map((name) => (
          <Checkbox
            key={name}
            label={t(`preferences.${name}`)}
            checked={messages[name]}
            onChange={(event) =>
              onChange({ unitAlertsSettings: { ...messages, [name]: event.currentTarget.checked } })
            }
          />
        ))}
      </fieldset>
    </>
  )
}

const mapLimits = { zoom: [1, 19], lat: [-90, 90], lng: [-180, 180] } as const

interface MapStartProps {
  map: UserPreferences['mapData']
  onMap: (map: UserPreferences['mapData']) => void
}

/** Initial view of the map. */
function MapStart({ map, onMap }: MapStartProps) {
  const { t } = useTranslation()
  return (
    <fieldset className="form-group form-row">
      <legend>{t('preferences.map')}</legend>
      {(['zoom', 'lat', 'lng'] as const).map((name) => {
        const [min, max] = mapLimits[name]
        return (
          <NumberInput
            key={name}
            label={t(`preferences.${name}`)}
            value={map[name]}
            min={min}
            max={max}
            // An empty field is not a place: the value before it is kept.
            onChange={(value) => typeof value === 'number' && onMap({ ...map, [name]: value })}
          />
        )
      })}
    </fieldset>
  )
}
