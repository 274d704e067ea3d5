// The style sheet that turns what the newsroom sends into stories.
import { ingest as calls } from '@backhaul/contract/api/ingest'
import { type IngestAccount, NewMappingFile } from '@backhaul/contract/nouns/ingest'
import { Alert, Button, FileButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { keepAnswer } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { reasonText } from '../../texts/generic.ts'
import { dateAndTime } from '../../ui/locale.ts'
import { toast } from '../../ui/toasts.tsx'
import { removeMapping, uploadMapping } from './newsroom.ts'
import styles from './stories.module.css'

interface MappingFileProps {
  inventoryId: string
  account: IngestAccount
  isOpen: boolean
}

/** The file is kept or gone at once: it is no part of what OK saves. */
export function MappingFile({ inventoryId, account, isOpen }: MappingFileProps) {
  const { t } = useTranslation('ingest')
  const { xsltFile } = account
  const keep = (now: IngestAccount) => keepAnswer(calls.account, { params: { id: inventoryId } }, now)
  const record = useRecordForm({
    start: (): NewMappingFile => ({ name: '', content: '' }),
    schema: NewMappingFile,
    save: async (file) => void (await keep(await uploadMapping(inventoryId, file))),
  })
  const removal = useAct()

  async function upload(file: File | null): Promise<void> {
    if (!file) return
    record.set({ name: file.name, content: await file.text() })
    if (await record.save()) toast({ title: t('mapping.uploaded'), text: file.name, tone: 'good' })
  }

  async function remove(): Promise<void> {
    const name = xsltFile?.name ?? ''
    if (!(await removal.run(async () => void (await keep(await removeMapping(inventoryId)))))) return
    toast({ title: t('mapping.removed'), text: name, tone: 'good' })
  }

  const { faults, unplaced } = record
  const fault = faults.name ?? faults.content ?? unplaced ?? removal.words
  const busy = record.busy || removal.busy
  const inUse = account.configuration.sync ? reasonText('ingest.mappingInUse') : undefined
  return (
    <fieldset className={`form-group ${styles.mapping}`}>
      <legend>{t('mapping.title')}</legend>
      <p className="quiet">{t('mapping.hint')}</p>
      <div className={styles.mappingFile}>
        {xsltFile ? (
          <span className={styles.mappingName}>
            <strong className="clip">{xsltFile.name}</strong>
            <span className="quiet">
              {t('mapping.facts', {
                count: xsltFile.size,
                time: dateAndTime(new Date(xsltFile.uploadedAt)),
              })}
            </span>
          </span>
        ) : (
          <span className="quiet">{t('mapping.none')}</span>
        )}
        <FileButton
          accept=".xsl,.xslt"
          inputProps={{ 'aria-label': t('mapping.upload') }}
          onChange={(file) => void upload(file)}
        >
          {(props) => (
            <Button {...props} variant="default" size="xs" disabled={!isOpen} loading={busy}>
              {t(xsltFile ? 'mapping.replace' : 'mapping.upload')}
            </Button>
          )}
        </FileButton>
        {xsltFile ? (
          <span data-tip={inUse}>
            <Button
              variant="light"
              color="red"
              size="xs"
              disabled={busy || inUse !== undefined}
              onClick={() => void remove()}
            >
              {t('mapping.remove')}
            </Button>
          </span>
        ) : null}
      </div>
      {fault ? <Alert color="red">{fault}</Alert> : null}
    </fieldset>
  )
}
