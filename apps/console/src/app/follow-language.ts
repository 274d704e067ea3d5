// The interface speaks the language that the user chose, from the start and as soon as another is chosen.
import { describeFault } from '../doors/api.ts'
import { preferences } from '../session/preferences/preferences.ts'
import { languageNow } from '../texts/texts.ts'
import { chooseLanguage } from '../ui/language.ts'
import { toast } from '../ui/toasts.tsx'

/** A language that cannot be fetched does not stop the work. */
async function follow(): Promise<void> {
  const { language } = preferences.get()
  if (language === null || language === languageNow()) return
  await chooseLanguage(language).catch((error) => {
    const { title, text } = describeFault(error)
    toast({ id: 'language', title, text, tone: 'warning' })
  })
}

export async function followLanguage(): Promise<void> {
  await follow()
  preferences.subscribe(() => void follow())
}
