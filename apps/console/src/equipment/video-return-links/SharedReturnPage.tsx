// /shared_return#token: the picture of a video return channel for users with the link, without a sign-in.
import { videoReturnLinks as calls } from '@backhaul/contract/api/video-return-links'
import type { SeenShareLink } from '@backhaul/contract/nouns/video-return-links'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { PictureFrame, PictureWords } from '../../fleet/previews/PictureFrame.tsx'
import { StreamPicture } from '../../fleet/previews/StreamPicture.tsx'
import { givenReason } from '../../texts/generic.ts'
import { dateAndTime } from '../../ui/locale.ts'
import { PublicFault, PublicPage } from '../../ui/PublicPage.tsx'
import { Wordmark } from '../../ui/Wordmark.tsx'
import styles from './video-return-links.module.css'

/** Delay until a page shows that its link was opened. */
const refreshMs = 5000

export function SharedReturnPage({ token }: { token: string }) {
  const { t } = useTranslation('videoReturn')
  const { data, error, errorText, again } = useRead(
    calls.look,
    { params: { token } },
    { everyMs: refreshMs, keepMs: 0 },
  )
  if (error && !data)
    return (
      <PublicPage>
        <PublicFault title={errorText ?? t('shared.unknown')} text={t('shared.unknownText')} />
      </PublicPage>
    )
  if (!data) return null
  return error || data.state !== 'open' ? (
    <PublicPage>
      <Closed link={data} isGone={error !== null} />
    </PublicPage>
  ) : (
    <Open link={data} onEnd={again} />
  )
}

function Closed({ link, isGone }: { link: SeenShareLink; isGone: boolean }) {
  const { t } = useTranslation('videoReturn')
  const [from, to] = [link.startsAt, link.endsAt].map((time) => dateAndTime(new Date(time)))
  const { state } = link
  if (isGone || state === 'ended' || state === 'open') return <PublicFault title={t('shared.ended')} />
  if (state === 'expired')
    return <PublicFault title={t('shared.expired')} text={t('shared.expiredText', { to })} />
  return (
    <div role="status">
      <h1>{link.description}</h1>
      <p className="quiet">{t('shared.waiting')}</p>
      <p className="quiet">{t('shared.waitingText', { from, to })}</p>
    </div>
  )
}

function Open({ link, onEnd }: { link: SeenShareLink; onEnd: () => unknown }) {
  const { t } = useTranslation('videoReturn')
  // Each reading brings another ticket: the one that the picture was opened with counts until it is over.
  const [path, setPath] = useState(link.stream)
  const [spent, setSpent] = useState<string | null>(null)
  if (path === null && link.stream !== null && link.stream !== spent) setPath(link.stream)
  const over = useCallback(() => {
    setSpent(path)
    setPath(null)
    onEnd()
  }, [path, onEnd])
  const why = givenReason({ reason: link.reason, cause: link.cause })
  return (
    <main className={styles.shared}>
      <header>
        <Wordmark />
        <div>
          <h1>{link.description}</h1>
          <p className="quiet">
            {link.channelName} · {t('shared.until', { to: dateAndTime(new Date(link.endsAt)) })}
          </p>
        </div>
      </header>
      {path === null ? (
        <PictureFrame>
          <PictureWords>{why || t('shared.connecting')}</PictureWords>
        </PictureFrame>
      ) : (
        <StreamPicture
          key={path}
          path={path}
          words={{
            picture: t('shared.picture'),
            connecting: t('shared.connecting'),
            sound: t('shared.sound'),
            soundOff: t('shared.soundOff'),
          }}
          onEnd={over}
        />
      )}
    </main>
  )
}
