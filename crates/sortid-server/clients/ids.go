import ("io"; "log"; "net/http"; "strings"; "time")

func Ids(url string) <-chan string { // ids := Ids(URL); fmt.Println(<-ids)
	ids, client := make(chan string, 1000), http.Client{Timeout: 5 * time.Second}
	go func() {
		for {
			var body []byte
			answer, err := client.Get(url)
			if err == nil { body, err = io.ReadAll(answer.Body); answer.Body.Close() }
			if err == nil && answer.StatusCode == 200 {
				for _, id := range strings.Fields(string(body)) { ids <- id }
			} else {
				log.Printf("no IDs: %v %s", err, body)
				time.Sleep(time.Second)
			}
		}
	}()
	return ids
}
