// A graphic is chosen from the disk, looked at as it would lie over a programme, and added.
import type { PlainCode } from '@backhaul/contract/define/refusals'
import { NewOverlay, overlayFault, sizeOfPng } from '@backhaul/contract/nouns/overlays'
import { FileInput, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { reasonText } from '../../texts/generic.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { GraphicStage } from './GraphicStage.tsx'
import { kilobytesOf } from './graphic-words.ts'
import { addGraphic, sourceOf } from './overlays.ts'

interface Chosen {
  file: File
  /** In the words of core: the file itself is not sent then. */
  fault: PlainCode | undefined
  png: string
  width: number
  height: number
}

export function NewGraphicDialog({ inventory, onClose }: { inventory: string; onClose: () => void }) {
  const { t } = useTranslation('overlays')
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<Chosen>()
  const saving = useSaving()

  async function choose(file: File | null): Promise<void> {
    setChosen(file ? await read(file) : undefined)
    // The name of the file is the likely name of the graphic.
    if (file && name === '') setName(file.name.replace(/\.png$/i, ''))
  }

  async function save(): Promise<void> {
    if (chosen?.fault !== undefined) return
    const saved = await saving.runChecked({
      schema: NewOverlay,
      typed: { name, png: chosen?.png ?? '' },
      title: '',
      ask: (made) => addGraphic(inventory, made),
    })
    if (!saved) return
    toast({ title: t('added'), text: saved.name, tone: 'good' })
    onClose()
  }

  const isPicture = chosen !== undefined && chosen.fault === undefined
  return (
    <Modal opened onClose={onClose} title={t('addTitle')} size={560}>
      <DialogForm
        mayWrite
        fault={saving.unplaced}
        busy={saving.busy}
        okLabel={t('make')}
        onCancel={onClose}
        onOk={() => void save()}
      >
        <div className="graphic-fields">
          <FileInput
            label={t('file')}
            description={t('fileHint')}
            placeholder={t('choose')}
            accept="image/png"
            value={chosen?.file ?? null}
            error={chosen?.fault === undefined ? saving.faults.png : reasonText(chosen.fault)}
            required
            clearable
            clearButtonProps={{ 'aria-label': t('clearFile') }}
            data-autofocus
            onChange={(file) => void choose(file)}
          />
          <TextInput
            label={t('column.name')}
            value={name}
            error={saving.faults.name}
            required
            onChange={(event) => setName(event.currentTarget.value)}
          />
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
      </DialogForm>
    </Modal>
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
