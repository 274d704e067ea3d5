// Go Live on a unit: hidden where the customer does not have it, with what is streamed where they do.
import { Button } from '@mantine/core'
import { IconBroadcast } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useClosed } from '../../people/groups/groups.ts'
import { loaded } from '../../ui/loaded.ts'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import type { StreamingUnit } from './GoLiveDialog.tsx'

const GoLiveDialog = loaded(async () => (await import('./GoLiveDialog.tsx')).GoLiveDialog)

export function GoLive({ unit, mayTransmit }: { unit: StreamingUnit; mayTransmit: boolean }) {
  const { t } = useTranslation('goLive')
  const closed = useClosed('goLive')
  const [isOpen, setOpen] = useState(false)
  if (closed !== undefined || !mayTransmit) return null
  const now = unit.socialMediaStatus
  return (
    <>
      <Button
        variant="default"
        leftSection={
          // Red is for what is on air.
          now?.status === 'live' ? (
            <StatusGlyph shape="disc" tone="live" />
          ) : (
            <IconBroadcast size={16} aria-hidden />
          )
        }
        onClick={() => setOpen(true)}
      >
        {now ? t(`state.${now.status}`) : t('open')}
      </Button>
      <Suspense fallback={null}>
        {isOpen ? <GoLiveDialog unit={unit} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  )
}
