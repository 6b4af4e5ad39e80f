func Ids(url string) <-chan string {
	ids, client := make(chan string, 1000), http.Client{Timeout: 5 * time.Second}
	go func() {
		for {
			answer, err := client.Get(url + "?n=1000")
			if err != nil {
				time.Sleep(time.Second)
				continue
			}
			for lines := bufio.NewScanner(answer.Body); answer.StatusCode == 200 && lines.Scan(); {
				ids <- lines.Text()
			}
			answer.Body.Close()
		}
	}()
	return ids
}
