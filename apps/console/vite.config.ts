import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// In development the page is served here and everything else by a core that is already running.
const core = process.env.BACKHAUL_CORE_URL ?? 'http://127.0.0.1:8080'
const toCore = { target: core, changeOrigin: false }

export default defineConfig({
  plugins: [react()],
  // Nothing is inlined: the content security policy admits the page's own files alone.
  build: {
    assetsInlineLimit: 0,
    outDir: 'dist',
    target: 'es2022',
    sourcemap: true,
    // What the first import sets up holds for every other module, whatever chunk it lands in.
    rolldownOptions: { output: { strictExecutionOrder: true } },
    chunkSizeWarningLimit: 900,
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/luc/luc-core-web/rest': toCore,
      '/luc/luc-core-web/pubsub': { ...toCore, ws: true },
      '/luc-core-web/pubsub': { ...toCore, ws: true },
      '/login/openid': toCore,
      '/login': { ...toCore, bypass: (request) => (request.method === 'GET' ? '/index.html' : undefined) },
      '/logout': { ...toCore, bypass: (request) => (request.method === 'GET' ? '/index.html' : undefined) },
      '/preview': { ...toCore, ws: true },
    },
  },
})
