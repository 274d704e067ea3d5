// A graphic is chosen from the disk, previewed over a programme, and added.
import type { PlainCode } from '@backhaul/contract/define/refusals'
import { NewOverlay, overlayFault, sizeOfPng } from '@backhaul/contract/nouns/overlays'
import { FileInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { reasonText } from '../../texts/generic.ts'
import { GraphicStage } from './GraphicStage.tsx'
import { kilobytesOf } from './graphic-texts.ts'
import styles from './overlays.module.css'
import { addGraphic, sourceOf } from './overlays.ts'

interface Chosen {
  file: File
  /** The refusal in the words of core; the file itself is not sent then. */
  fault: PlainCode | undefined
  png: string
  width: number
  height: number
}

export function NewGraphicDialog({ inventory, onClose }: { inventory: string; onClose: () => void }) {
  const { t } = useTranslation('overlays')
  const [chosen, setChosen] = useState<Chosen>()
  const record = useRecordForm({
    start: (): NewOverlay => ({ name: '', png: '' }),
    schema: NewOverlay,
    save: (made) => addGraphic(inventory, made),
  })
  const { values, set, faults } = record

  async function choose(file: File | null): Promise<void> {
    const picture = file ? await read(file) : undefined
    setChosen(picture)
    set({ png: picture?.png ?? '' })
    // The name of the file is the likely name of the graphic.
    if (file && values.name === '') set({ name: file.name.replace(/\.png$/i, '') })
  }

  const isPicture = chosen !== undefined && chosen.fault === undefined
  return (
    <RecordDialog
      title={t('addTitle')}
      size={560}
      record={record}
      okLabel={t('make')}
      done={(saved) => ({ title: t('added'), text: saved.name })}
      onClose={onClose}
    >
      <div className={styles.graphicFields}>
        <FileInput
          label={t('file')}
          description={t('fileHint')}
          placeholder={t('choose')}
          accept="image/png"
          value={chosen?.file ?? null}
          error={chosen?.fault === undefined ? faults.png : reasonText(chosen.fault)}
          required
          clearable
          clearButtonProps={{ 'aria-label': t('clearFile') }}
          data-autofocus
          onChange={(file) => void choose(file)}
        />
        <TextField record={record} name="name" label={t('column.name')} required />
        <GraphicStage
          label={t('preview')}
          place="topLeft"
          picture={isPicture ? { ...chosen, source: sourceOf(chosen.png) } : undefined}
        />
        <p className="quiet">
          {isPicture
            ? t('size', {
                width: chosen.width,
                height: chosen.height,
                kilobytes: kilobytesOf({ bytes: chosen.file.size }),
              })
            : t('stageHint')}
        </p>
      </div>
    </RecordDialog>
  )
}

async function read(file: File): Promise<Chosen> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const fault = overlayFault(bytes)
  const { width, height } = sizeOfPng(bytes) ?? { width: 0, height: 0 }
  return { file, fault, width, height, png: fault === undefined ? await base64Of(file) : '' }
}

function base64Of(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ''))
  reader.onerror = () => reject(reader.error)
  reader.readAsDataURL(file)
  return promise
}
